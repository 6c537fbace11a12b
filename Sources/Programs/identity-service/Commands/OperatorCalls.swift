internal import CognitoIdentity
internal import CognitoSync
internal import CognitoUserPool
internal import ServiceOperations
internal import TokenSecurityBase

/// Performs operations of all services for an operator, as requests name them.
struct OperatorCalls: Sendable {
  let services: PoolServices
  private let userPoolOperations: UserPoolOperations
  private let identityPoolOperations: IdentityPoolOperations
  private let syncOperations: SyncOperations

  private static let router = OperationRouter(identityPools, dataSets, userPools)

  /// Who has the data: an access key would allow no more.
  private static let caller = IdentityPoolOperations.Caller.developer(accessKeyID: "", scope: .everything)

  init(_ services: PoolServices) {
    self.services = services
    userPoolOperations = UserPoolOperations(services.userPools)
    identityPoolOperations = IdentityPoolOperations(services.identityPools)
    syncOperations = SyncOperations(services.dataSets)
  }

  /// Performs an operation.
  ///
  /// - Parameters:
  ///   - operation: the operation.
  ///   - input: the members of its input.
  /// - Returns: the members of its output.
  /// - Throws: the error of its service.
  @discardableResult
  func call(_ operation: any ServiceOperation.Type, _ input: JSONObject) async throws -> JSONObject {
    let (service, route) = try Self.route(operation, input)
    let body = JSONWriter.write(input)
    let response: EncodedResponse
    switch service.signingName {
    case userPools.signingName:
      let context = CallContext()
      let call = try userPoolOperations.call(route, body, isSigned: true)
      response = try await call.respond(context, requestID: "").response
      Self.report(context.subject)
    case dataSets.signingName:
      let context = IdentityPoolOperations.Context(caller: Self.caller)
      response = try await syncOperations.call(route, body, in: context)
        .respond(context, requestID: "").response
    default:
      let context = IdentityPoolOperations.Context(caller: Self.caller)
      response = try await identityPoolOperations.call(route, body, in: context)
        .respond(context, requestID: "").response
    }
    return (try? JSONValue(parsing: response.body))?.object ?? JSONObject()
  }

  /// Performs an operation. A refusal names the options that gave what it refuses.
  @discardableResult
  func call(_ operation: any ServiceOperation.Type, _ input: OptionInput) async throws -> JSONObject {
    try await input.explaining { try await call(operation, input.members) }
  }

  /// The request of an operation.
  ///
  /// - Parameters:
  ///   - type: the request.
  ///   - members: its members.
  ///   - refusal: makes the error of the operation's service.
  /// - Returns: the request.
  /// - Throws: the error for members that the request does not have, or of other types.
  static func request<Input: Structure, Failure>(
    _ type: Input.Type, _ members: JSONObject, else refusal: (OperationError) -> Failure
  ) throws(Failure) -> Input {
    do throws(OperationError) {
      return try Input(json: JSONWriter.write(members), limit: OperationDeclaration.bodyLimit)
    } catch {
      throw refusal(error)
    }
  }

  /// Reports what the operator should know of a call.
  static func report(_ subject: CallSubject) {
    guard let warning = subject.warning else { return }
    StandardError.write("identity-service: warning: \(warning)\n")
  }

  /// The route of an operation. Labels of a path are ids that were checked.
  private static func route(
    _ operation: any ServiceOperation.Type, _ input: JSONObject
  ) throws -> (ServiceDeclaration, OperationRoute) {
    let name = operation.declaration.name.text
    for service in [userPools, identityPools, dataSets]
    where service.operations.contains(where: { $0 == operation }) {
      let head: OperationRequestHead
      if case .json(let prefix) = service.binding {
        head = OperationRequestHead(
          method: "POST", target: "/", headers: [("X-Amz-Target", "\(prefix).\(name)")])
      } else {
        let declared = operation.declaration.route
        let path = Self.path(declared?.template.text ?? "/", input["IdentityPoolId"]?.string ?? "")
        head = OperationRequestHead(
          method: declared?.method.text ?? "", target: path, headers: [("Content-Type", "application/json")])
      }
      if let route = try router.route(head) { return (service, route) }
    }
    throw OperationError.operationUnknown(name)
  }

  /// A path with a pool's id in place of its label.
  private static func path(_ template: String, _ pool: String) -> String {
    guard let label = template.utf8.firstRange(of: "{IdentityPoolId}".utf8) else { return template }
    let (before, after) = (template.utf8[..<label.lowerBound], template.utf8[label.upperBound...])
    return "\(Substring(before))\(pool)\(Substring(after))"
  }

  /// Performs an operation that lists things, page by page.
  ///
  /// - Parameters:
  ///   - operation: the operation.
  ///   - member: the list in its output.
  ///   - input: the members of its input besides those of pages.
  /// - Returns: the elements of all pages.
  /// - Throws: the error of its service.
  func list(
    _ operation: any ServiceOperation.Type, _ member: String, _ input: OptionInput = OptionInput()
  ) async throws -> [JSONValue] {
    let names = OperationSchema(operation).input.map(\.name.text)
    let size = names.first { ["MaxResults", "Limit"].contains(ExactString($0)) } ?? "Limit"
    let token = names.first { ["NextToken", "PaginationToken"].contains(ExactString($0)) } ?? "NextToken"
    var input = input
    input.members[size] = 60
    var elements: [JSONValue] = []
    repeat {
      let page = try await call(operation, input)
      elements += page[member]?.array ?? []
      input.members[token] = page[token]
    } while input.members[token] != nil
    return elements
  }
}

extension DataOptions {
  /// Calls `body` with the operations over the data, which must exist, and closes the database.
  func withCalls<Result>(_ body: (OperatorCalls) async throws -> Result) async throws -> Result {
    try await withServices { try await body(OperatorCalls($0)) }
  }
}

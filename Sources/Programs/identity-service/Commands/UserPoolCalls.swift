internal import CognitoUserPool
internal import TokenSecurityBase

/// Performs operations of user pools for an operator, as requests name them.
struct UserPoolCalls: Sendable {
  let service: UserPoolService
  private let operations: UserPoolOperations
  private let router = OperationRouter(userPools)

  init(_ service: UserPoolService) {
    self.service = service
    operations = UserPoolOperations(service)
  }

  /// Performs an operation.
  ///
  /// - Parameters:
  ///   - name: the operation.
  ///   - input: the members of its input.
  /// - Returns: the members of its output.
  /// - Throws: `UserPoolError`.
  func call(_ name: String, _ input: JSONObject) async throws(UserPoolError) -> JSONObject {
    let route = try route(name)
    // The operator has the data: an access key would allow no more.
    let call = try operations.call(route, JSONWriter.write(input), isSigned: true)
    let context = CallContext()
    let response = try await call.respond(context, requestID: "").response
    if let warning = context.subject.warning {
      StandardError.write("identity-service: warning: \(warning)\n")
    }
    return (try? JSONValue(parsing: response.body))?.object ?? JSONObject()
  }

  private func route(_ name: String) throws(UserPoolError) -> OperationRoute {
    guard case .json(let prefix) = userPools.binding else { throw .request(.operationUnknown(name)) }
    let head = OperationRequestHead(
      method: "POST", target: "/", headers: [("X-Amz-Target", "\(prefix).\(name)")])
    do throws(OperationError) {
      guard let route = try router.route(head) else { throw OperationError.operationUnknown(name) }
      return route
    } catch {
      throw .request(error)
    }
  }

  /// Performs an operation that lists things, page by page.
  ///
  /// - Parameters:
  ///   - name: the operation.
  ///   - member: the list in its output.
  ///   - input: the members of its input besides those of pages.
  /// - Returns: the elements of all pages.
  /// - Throws: `UserPoolError`.
  func list(
    _ name: String, _ member: String, _ input: JSONObject = [:]
  ) async throws(UserPoolError) -> [JSONValue] {
    var input = input
    input["MaxResults"] = .number(JSONNumber(60))
    var elements: [JSONValue] = []
    repeat {
      let page = try await call(name, input)
      elements += page[member]?.array ?? []
      input["NextToken"] = page["NextToken"]
    } while input["NextToken"] != nil
    return elements
  }
}

extension DataOptions {
  /// Calls `body` with the operations of user pools over the data, which must exist, and closes the database.
  func withUserPools<Result>(_ body: (UserPoolCalls) async throws -> Result) async throws -> Result {
    try await withServices { try await body(UserPoolCalls($0.userPools)) }
  }
}

extension JSONObject {
  /// Prints what an operation made: its id, and its secret if it has one.
  func printMade(_ member: String, id: String, secret: String? = nil, _ output: OutputOptions) throws {
    let made = self[member]?.object ?? JSONObject()
    guard !output.json else { return try StandardOutput.print(made) }
    let texts = [made[id]?.string, secret.flatMap { made[$0]?.string }].compactMap { $0 }
    try StandardOutput.print(texts.joined(separator: " ") + "\n")
  }
}

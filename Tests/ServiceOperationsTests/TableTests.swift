internal import ServiceOperations
internal import Testing

/// Handlers of operations, and clients that call them.
@Suite struct TableTests {
  /// A service's own error.
  enum SampleError: ServiceError, Equatable {
    case refused(OperationError)
    case conflict

    enum Code: String {
      case refused = "refused"
      case conflict = "conflict"
    }

    init(_ error: OperationError) { self = .refused(error) }
    var details: (code: Code, sentence: String) {
      switch self {
      case .refused(let error): (.refused, error.description)
      case .conflict: (.conflict, "Current SyncCount for: KEY is: 2 not: 1")
      }
    }
    var codeText: String {
      if case .refused(let error) = self { error.codeText } else { code.rawValue }
    }
    var type: String {
      if case .refused(let error) = self { error.type } else { "ResourceConflictException" }
    }
    var status: Int { if case .refused(let error) = self { error.status } else { 409 } }
    var publicMessage: String { description }
    func reported(in binding: ServiceBinding) -> (type: String, status: Int) {
      if case .refused(let error) = self { error.reported(in: binding) } else { (type, status) }
    }
  }

  struct Call: Sendable { let caller: String }

  struct Service {
    func getID(_ input: GetID.Input, _ call: Call) async throws(SampleError) -> GetID.Output {
      .init { $0.identityID = "\(input.poolID)-\(input.logins?.count ?? 0)" }
    }

    func updateRecords(
      _ input: UpdateRecords.Input, _ call: Call
    ) async throws(SampleError) -> UpdateRecords.Output {
      guard input.patches?.first?.count != 1 else { throw .conflict }
      return .init { $0.keys = [input.dataset, call.caller] }
    }
  }

  static let router = OperationRouter(identityPools, sampleRecords)

  static var table: OperationTable<Call, SampleError> {
    let service = Service()
    var table = OperationTable<Call, SampleError>()
    table.on(GetID.self, service.getID)
    table.on(UpdateRecords.self, service.updateRecords)
    table.on(DeleteIdentities.self) { (input, _) throws(SampleError) in .init() }
    return table
  }

  /// Serves a request as a server does.
  static func serve(_ request: EncodedRequest) async -> EncodedResponse {
    var binding = ServiceBinding.rest
    do throws(SampleError) {
      let head = OperationRequestHead(
        method: request.method, target: request.target, headers: request.headers)
      let route: OperationRoute?
      do throws(OperationError) { route = try router.route(head) } catch { throw SampleError(error) }
      guard let route else { throw .conflict }
      binding = route.binding
      let call = try table.call(route, request.body)
      return try await call.respond(Call(caller: "me"), requestID: "r").response
    } catch {
      return EncodedResponse(error, binding, requestID: "r")
    }
  }

  @Test func handlersRespond() async throws {
    let request = GetID.encode(
      .init {
        $0.poolID = "eu-west-1:0"
        $0.logins = ["a": "t"]
      }, identityPools.binding)
    let response = await Self.serve(request)
    #expect(response.status == 200)
    #expect(String(decoding: response.body, as: UTF8.self) == #"{"IdentityId":"eu-west-1:0-1"}"#)
    #expect(
      response.headers.map { "\($0.name): \($0.value)" } == [
        "Content-Type: application/x-amz-json-1.1", "Cache-Control: no-store", "x-amzn-RequestId: r",
      ])
  }

  @Test func whatIsNotBuiltIsSaidByName() async throws {
    for operation in identityPools.operations where !Self.table.handles(operation) {
      let name = operation.declaration.name
      let response = await Self.serve(
        EncodedRequest(
          method: "POST", target: "/",
          headers: [(name: "X-Amz-Target", value: "AWSCognitoIdentityService.\(name)")],
          body: Array("not JSON".utf8)))
      #expect(response.status == 400)
      #expect(
        String(decoding: response.body, as: UTF8.self)
          == #"{"__type":"NotImplementedException","message":"the operation \#(name) is not implemented","code":"operation_not_built"}"#
      )
    }
  }

  @Test func targetsAreRead() throws {
    func call(_ name: String, _ body: String) throws -> OperationCall<Call, SampleError> {
      let head = OperationRequestHead(
        method: "POST", target: "/",
        headers: [(name: "X-Amz-Target", value: "AWSCognitoIdentityService.\(name)")])
      return try Self.table.call(try #require(try Self.router.route(head)), Array(body.utf8))
    }
    let call1 = try call("DeleteIdentities", #"{"IdentityIdsToDelete":["a:1","a:2"]}"#)
    #expect(call1.targets == ["a:1", "a:2"])
    let call2 = try call("GetId", #"{"IdentityPoolId":"a:1"}"#)
    #expect(call2.targets == [] && call2.texts(of: "IdentityPoolId") == ["a:1"])
    #expect(call2.texts(of: "AccountId") == [] && call2.texts(of: "Logins") == [])
  }

  @Test func errorsOfEachBinding() {
    let json = EncodedResponse(SampleError.conflict, .rest, requestID: "r")
    #expect(json.status == 409)
    #expect(json.headers.last?.value == "ResourceConflictException")
    let xml = EncodedResponse(
      OperationError.validation([]), .query(version: "v", namespace: "n"), requestID: "r&")
    #expect(
      String(decoding: xml.body, as: UTF8.self)
        == "<ErrorResponse xmlns=\"n\"><Error><Type>Sender</Type><Code>ValidationError</Code><Message>0"
        + " validation errors detected: </Message></Error><RequestId>r&amp;</RequestId></ErrorResponse>")
    let binding = ServiceBinding.query(version: "v", namespace: "n")
    #expect(OperationError.operationUnknown("a").reported(in: binding).type == "InvalidAction")
    #expect(OperationError.serialization(rule: "a").reported(in: binding).type == "MalformedInput")
    #expect(OperationError.tooManyRequests.reported(in: binding).type == "Throttling")
    #expect(OperationError.tooManyRequests.type == "TooManyRequestsException")
  }
}

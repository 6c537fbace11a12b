import CognitoUserPool
import Foundation
import JOSE
import ServiceOperations

/// A user pool, in memory or over a store, whose operations are called as requests name them: members, rules and
/// rows, without a network. An hour passes between calls, so that no limit is reached.
final class TimedPool {
  static let password = "Correct-horse-9"

  private(set) var id = ""
  private(set) var client = ""
  private(set) var time = Timestamp(since1970: .seconds(1_800_000_000))
  private let service: UserPoolService
  private let operations: UserPoolOperations
  private let router = OperationRouter(CognitoUserPool.userPools)
  private var calls = 0

  init(_ settings: String = "", over store: (any RecordStore)? = nil) async throws {
    service = UserPoolService(
      store: try store ?? MemoryRecordStore(tables: UserPoolTables.all),
      secrets: try UserPoolSecrets(master: SecretBytes.random(count: UserPoolSecrets.masterSize)))
    operations = UserPoolOperations(service)
    id = try await made("CreateUserPool", "UserPool", "Id", #"{"PoolName":"timing"\#(settings)}"#)
    client = try await made(
      "CreateUserPoolClient", "UserPoolClient", "ClientId",
      #"{"UserPoolId":"\#(id)","ClientName":"timing","PreventUserExistenceErrors":"ENABLED","#
        + #""ExplicitAuthFlows":["ALLOW_USER_SRP_AUTH","ALLOW_USER_PASSWORD_AUTH","ALLOW_ADMIN_USER_PASSWORD_AUTH","#
        + #""ALLOW_USER_AUTH","ALLOW_REFRESH_TOKEN_AUTH"]}"#)
  }

  private func made(_ operation: String, _ member: String, _ id: String, _ body: String) async throws
    -> String
  {
    let answer = try await answer(operation, body)
    return answer[member]?.object?[id]?.string ?? ""
  }

  /// A confirmed user with a password and an e-mail address.
  func add(_ name: String, email: String) async throws {
    try await answer(
      "AdminCreateUser",
      #"{"UserPoolId":"\#(id)","Username":"\#(name)","MessageAction":"SUPPRESS","UserAttributes":["#
        + #"{"Name":"email","Value":"\#(email)"},{"Name":"email_verified","Value":"true"}]}"#)
    try await answer(
      "AdminSetUserPassword",
      #"{"UserPoolId":"\#(id)","Username":"\#(name)","Password":"\#(Self.password)","Permanent":true}"#)
  }

  /// A confirmed user with a password and attributes.
  func add(_ user: (name: String, attributes: [(String, String)])) async throws {
    let attributes = user.attributes.map { #"{"Name":"\#($0)","Value":"\#($1)"}"# }.joined(separator: ",")
    try await answer(
      "AdminCreateUser",
      #"{"UserPoolId":"\#(id)","Username":"\#(user.name)","MessageAction":"SUPPRESS","UserAttributes":[\#(attributes)]}"#
    )
    try await answer(
      "AdminSetUserPassword",
      #"{"UserPoolId":"\#(id)","Username":"\#(user.name)","Password":"\#(Self.password)","Permanent":true}"#)
  }

  /// A user who waits for a code.
  func signUp(_ name: String, email: String) async throws {
    try await answer("SignUp", signingUp(name, email))
  }

  func signingUp(_ name: String, _ email: String) -> String {
    #"{"ClientId":"\#(client)","Username":"\#(name)","Password":"\#(Self.password)","#
      + #""UserAttributes":[{"Name":"email","Value":"\#(email)"}]}"#
  }

  /// Lets an hour pass. Messages are sent, and ended rows are removed, now and then.
  func pass() async throws {
    time = time + .seconds(3_700)
    calls += 1
    guard calls.isMultiple(of: 64) else { return }
    try await maintain()
  }

  /// Lets time pass between calls.
  func letTimePass(_ duration: Duration) async throws { time = time + duration }

  /// Sends messages, and removes ended rows.
  func maintain() async throws {
    try await MessageDelivery(service, sender: Discards()).sendDue(at: time)
    while try await service.maintenance.removeEndedRows(at: time) {}
  }

  /// The members of an answer that must succeed.
  @discardableResult
  func answer(_ operation: String, _ body: String) async throws -> JSONObject {
    let (response, _) = try await call(operation, body)
    guard response.status == 200, let object = try JSONValue(parsing: response.body).object else {
      fatalError("\(operation): \(String(decoding: response.body, as: UTF8.self))")
    }
    return object
  }

  /// The response of a call, and its microseconds.
  func call(_ operation: String, _ body: String) async throws -> (response: EncodedResponse, time: Double) {
    let head = OperationRequestHead(
      method: "POST", target: "/",
      headers: [(name: "X-Amz-Target", value: "AWSCognitoIdentityProviderService.\(operation)")])
    guard let route = try router.route(head) else { fatalError(operation) }
    let bytes = Array(body.utf8)
    let start = Timing.now()
    do throws(UserPoolError) {
      let call = try operations.call(route, bytes, isSigned: true)
      let response = try await call.respond(CallContext(at: time), requestID: "1").response
      return (response, Timing.now() - start)
    } catch {
      let response = EncodedResponse(error, route.binding, requestID: "1")
      return (response, Timing.now() - start)
    }
  }

  private struct Discards: MessageSender {
    func send(_ message: OutgoingMessage) async throws(MessageError) {}
  }
}

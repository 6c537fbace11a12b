internal import CognitoUserPool
internal import HTTPExchange
internal import Records
internal import SigningKeyTesting
internal import Synchronization
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The service of user pools in this process, as the transport of its clients. It has one pool and one client.
///
///     let service = try await LocalService(client: ["GenerateSecret": true])
///     let client = try service.makeClient()
///     try await service.addUser("jane")
final class LocalService: HTTPTransport {
  static let password = "Correct-horse-7"
  static let address = "http://127.0.0.1:9999"
  private static let router = OperationRouter(userPools)

  let service: UserPoolService
  let hooks = LocalHooks()
  /// The pool's id, and the client's id and secret.
  let poolID, clientID: String
  let clientSecret: String?
  private let start = Timestamp.now
  private let state = Mutex(State())

  private struct State {
    var operations: [String] = []
    var read: Set<ExactString> = []
    var isDown = false
    var later = Duration.zero
    var refusals: [(operation: String, type: String, message: String)] = []
  }

  /// Makes a pool with members of `CreateUserPool`, and a client with members of `CreateUserPoolClient`. The
  /// client allows all flows where it names none.
  init(
    _ settings: JSONObject = [:], client members: JSONObject = [:], hooks triggers: [HookTrigger] = []
  ) async throws {
    let master = [UInt8](repeating: 7, count: UserPoolSecrets.masterSize)
    service = UserPoolService(
      store: try MemoryRecordStore(tables: UserPoolTables.all),
      secrets: try UserPoolSecrets(master: SecretBytes(master.span)),
      settings: UserPoolService.Settings(issuerPrefix: Self.address), hooks: hooks, keyMaker: .vectors())
    var settings = settings
    settings["PoolName"] = "tests"
    if !triggers.isEmpty {
      var functions = JSONObject()
      for trigger in triggers {
        functions[trigger.rawValue.text] = .string(
          "arn:aws:lambda:us-east-1:123456789012:function:\(trigger.rawValue.text)")
      }
      settings["LambdaConfig"] = .object(functions)
    }
    let pool = try await Self.call(service, "CreateUserPool", settings, at: .now)
    poolID = try #require(pool["UserPool"]?.object?["Id"]?.string)
    var members = members
    members["UserPoolId"] = .string(poolID)
    members["ClientName"] = "app"
    members["ExplicitAuthFlows"] =
      members["ExplicitAuthFlows"] ?? [
        "ALLOW_USER_SRP_AUTH", "ALLOW_USER_PASSWORD_AUTH", "ALLOW_CUSTOM_AUTH", "ALLOW_USER_AUTH",
        "ALLOW_REFRESH_TOKEN_AUTH",
      ]
    let client = try await Self.call(service, "CreateUserPoolClient", members, at: .now)
    clientID = try #require(client["UserPoolClient"]?.object?["ClientId"]?.string)
    clientSecret = client["UserPoolClient"]?.object?["ClientSecret"]?.string
  }

  /// The time of calls. It stands still until ``advance(_:)``, so that it does not matter how long a test takes.
  var now: Timestamp { start + state.withLock { $0.later } }

  /// Moves the service's time on.
  func advance(_ duration: Duration) { state.withLock { $0.later += duration } }

  /// The operations that clients have called, in their order.
  var operations: [String] { state.withLock { $0.operations } }

  /// Whether the service cannot be reached.
  func setDown(_ isDown: Bool) { state.withLock { $0.isDown = isDown } }

  /// Refuses the next call of an operation.
  func refuse(_ operation: String, _ type: String, _ message: String = "no") {
    state.withLock { $0.refusals.append((operation, type, message)) }
  }

  /// Calls an operation of the pool as its developer: `UserPoolId` is added.
  @discardableResult
  func admin(_ operation: String, _ members: JSONObject = [:]) async throws -> JSONObject {
    var members = members
    members["UserPoolId"] = .string(poolID)
    return try await Self.call(service, operation, members, at: now)
  }

  /// Calls an operation as anybody can, and not through a client.
  func call(_ operation: String, _ members: JSONObject) async throws -> JSONObject {
    try await Self.call(service, operation, members, at: now)
  }

  /// Makes a confirmed user with a permanent password.
  func addUser(
    _ name: String, password: String = LocalService.password, attributes: [(String, String)] = []
  ) async throws {
    let attributes = attributes.map { JSONValue.object(["Name": .string($0.0), "Value": .string($0.1)]) }
    try await admin(
      "AdminCreateUser",
      ["Username": .string(name), "MessageAction": "SUPPRESS", "UserAttributes": .array(attributes)])
    try await admin(
      "AdminSetUserPassword",
      ["Username": .string(name), "Password": .string(password), "Permanent": true])
  }

  /// The code of the only message since the last call.
  func code() async throws -> String {
    let codes = try await codes()
    try #require(codes.count == 1)
    return codes[0]
  }

  /// The codes of the messages since the last call, in no order. Nothing sends the messages.
  func codes() async throws -> [String] {
    let rows = try await service.store.read(at: now, .fresh) { rows throws(UserPoolError) in
      try rows.scan(UserPoolTables.outbox, limit: 1_000).filter { !$0.isSimulated }
    }
    let unread = state.withLock { state in rows.filter { state.read.insert(ExactString($0.id)).inserted } }
    return try unread.map { try #require(try $0.message(service.secrets)).code }
  }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let isDown = state.withLock { $0.isDown }
    if isDown { throw .connection("the service is down") }
    if request.method == "GET" { return try await keys(request) }
    var headers: [(name: String, value: String)] = []
    if let target = request.headers["X-Amz-Target"] { headers.append((name: "X-Amz-Target", value: target)) }
    let route: OperationRoute
    do throws(OperationError) {
      let head = OperationRequestHead(method: request.method, target: request.url.path, headers: headers)
      guard let found = try Self.router.route(head) else { return TransportResponse(status: 404, body: []) }
      route = found
    } catch {
      throw .connection("\(error)")
    }
    let refusal = state.withLock { state -> (operation: String, type: String, message: String)? in
      let name = route.declaration.name.text
      state.operations.append(name)
      guard let index = state.refusals.firstIndex(where: { $0.operation == name }) else { return nil }
      return state.refusals.remove(at: index)
    }
    if let refusal {
      let body: JSONObject = ["__type": .string(refusal.type), "message": .string(refusal.message)]
      return TransportResponse(status: 400, body: JSONWriter.write(body))
    }
    let response: EncodedResponse
    do throws(UserPoolError) {
      let call = try UserPoolOperations(service).call(route, request.body)
      let context = CallContext(at: now, address: "192.0.2.7")
      response = try await call.respond(context, requestID: "r").response
    } catch {
      response = EncodedResponse(error, route.binding, requestID: "r")
    }
    return TransportResponse(
      status: response.status, headers: TransportHeaders(response.headers), body: response.body)
  }

  /// The pool's published keys.
  private func keys(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    guard request.url.path.hasSuffix("/.well-known/jwks.json") else {
      return TransportResponse(status: 404, body: [])
    }
    do {
      let body = try await service.published.keySet(ofPool: poolID)
      return TransportResponse(status: 200, headers: ["Content-Type": "application/json"], body: body)
    } catch { throw .connection("\(error)") }
  }

  private static func call(
    _ service: UserPoolService, _ operation: String, _ members: JSONObject, at now: Timestamp
  ) async throws -> JSONObject {
    let target = (name: "X-Amz-Target", value: "AWSCognitoIdentityProviderService.\(operation)")
    let head = OperationRequestHead(method: "POST", target: "/", headers: [target])
    let route = try #require(try router.route(head))
    let call = try UserPoolOperations(service).call(route, JSONWriter.write(members), isSigned: true)
    let response = try await call.respond(CallContext(at: now), requestID: "r")
    return (try? JSONValue(parsing: response.response.body))?.object ?? [:]
  }
}

/// Functions of a pool that a test sets. A trigger without one gets the event back.
final class LocalHooks: UserPoolHooks {
  typealias Function = @Sendable (_ request: JSONObject) throws(HookError) -> JSONObject

  private let functions = Mutex<[HookTrigger: Function]>([:])

  /// Sets the function of a trigger: its result is `response`.
  func on(_ trigger: HookTrigger, _ function: @escaping Function) {
    functions.withLock { $0[trigger] = function }
  }

  func serves(_ functionARN: String) -> Bool { true }

  func invoke(_ event: HookEvent) async throws(HookError) -> HookResponse {
    var object = event.json.object
    let function = functions.withLock { $0[event.trigger] }
    if let function {
      object["response"] = .object(try function(object["request"]?.object ?? JSONObject()))
    }
    return HookResponse(json: JSONWriter.write(object))
  }
}

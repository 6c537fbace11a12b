internal import CognitoUserPool
internal import Records
internal import SecureRemotePassword
internal import SigningKeyTesting
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityTesting

/// A service over a store with a pool and a client, called as requests call it: by an operation's name and its
/// JSON.
///
///     let pool = try await TestPool(client: ["PreventUserExistenceErrors": "ENABLED"])
///     try await pool.addUser("jane")
///     let tokens = try await pool.signIn("jane")
///     let user = try await pool.call("GetUser", ["AccessToken": .string(tokens.access)])
struct TestPool: Sendable {
  static let user = "jane"
  static let password = "Correct-horse-7"
  static let address = "192.0.2.7"
  static let router = OperationRouter(userPools)

  let service: UserPoolService
  let store: any RecordStore
  let clock: SettableClock
  let hooks: RecordingHooks
  let inbox = Inbox()
  /// The pool's id.
  private(set) var id = ""
  /// The client. Its requests have a secret hash where it has a secret.
  private(set) var client: CognitoAppClient
  private(set) var clientSecret: String?
  /// The address of calls.
  var caller = TestPool.address

  /// Makes a service over a new store, a pool with members of `CreateUserPool`, and a client with members of
  /// `CreateUserPoolClient`. The client allows all flows where it names none.
  init(
    _ settings: JSONObject = [:], client members: JSONObject = [:], hooks triggers: [HookTrigger] = [],
    on kind: StoreKind = .memory, removal: RemovalRule = RemovalRule()
  ) async throws {
    try await self.init(settings, client: members, hooks: triggers, over: kind.make(removal: removal))
  }

  /// The same over a store that a test has made.
  init(
    _ settings: JSONObject, client members: JSONObject, hooks triggers: [HookTrigger] = [],
    over store: any RecordStore, outbox: OutboxCapacity = OutboxCapacity()
  ) async throws {
    try await self.init(store: store, clock: SettableClock(), outbox: outbox)
    var settings = settings
    settings["PoolName"] = settings["PoolName"] ?? "tests"
    if !triggers.isEmpty {
      var functions = JSONObject()
      for trigger in triggers { functions[trigger.rawValue.text] = .string(RecordingHooks.arn(trigger)) }
      settings["LambdaConfig"] = .object(functions)
    }
    let created = try await call("CreateUserPool", settings)
    id = try #require(created["UserPool"]?.object?["Id"]?.string)
    try await addClient(members)
  }

  /// A service over a store, without a pool.
  init(
    store: any RecordStore, clock: SettableClock, keyMaker: SigningKeyMaker = .vectors(),
    outbox: OutboxCapacity = OutboxCapacity()
  ) async throws {
    self.store = store
    self.clock = clock
    hooks = RecordingHooks()
    client = try CognitoAppClient(id: "none")
    let master = [UInt8](repeating: 7, count: UserPoolSecrets.masterSize)
    service = UserPoolService(
      store: store, secrets: try UserPoolSecrets(master: SecretBytes(master.span)),
      hooks: HookRunner(hooks, limits: .patient), outbox: outbox, keyMaker: keyMaker)
  }

  /// Another service over the same store, with the same pool and client: another node.
  func node() async throws -> TestPool {
    var node = try await TestPool(store: store, clock: clock, keyMaker: .vectors(from: 24))
    node.id = id
    node.client = client
    node.clientSecret = clientSecret
    return node
  }

  /// Makes another client, and uses it from now on.
  mutating func addClient(_ members: JSONObject = [:]) async throws {
    var members = members
    members["UserPoolId"] = .string(id)
    members["ClientName"] = members["ClientName"] ?? "app"
    members["ExplicitAuthFlows"] =
      members["ExplicitAuthFlows"] ?? [
        "ALLOW_USER_SRP_AUTH", "ALLOW_USER_PASSWORD_AUTH", "ALLOW_ADMIN_USER_PASSWORD_AUTH",
        "ALLOW_CUSTOM_AUTH", "ALLOW_USER_AUTH", "ALLOW_REFRESH_TOKEN_AUTH",
      ]
    let created = try await call("CreateUserPoolClient", members)["UserPoolClient"]?.object
    let clientID = try #require(created?["ClientId"]?.string)
    clientSecret = created?["ClientSecret"]?.string
    if let clientSecret {
      client = try CognitoAppClient(id: clientID, secret: SecretBytes(clientSecret.utf8.span))
    } else {
      client = try CognitoAppClient(id: clientID)
    }
  }

  /// Calls an operation at the clock's time. A signed operation is called by a developer.
  @discardableResult
  func call(_ operation: String, _ members: JSONObject) async throws(UserPoolError) -> JSONObject {
    try await call(operation, body: JSONWriter.write(members))
  }

  /// Calls an operation with any body.
  @discardableResult
  func call(
    _ operation: String, body: [UInt8]
  ) async throws(UserPoolError) -> JSONObject {
    guard let (route, context) = try route(operation) else { return [:] }
    let call = try UserPoolOperations(service).call(route, body, isSigned: true)
    let response = try await call.respond(context, requestID: "r").response.body
    return (try? JSONValue(parsing: response))?.object ?? [:]
  }

  /// What the rules of a call name, also where they refuse it.
  func subject(_ operation: String, _ members: JSONObject) async throws(UserPoolError) -> CallSubject? {
    guard let (route, context) = try route(operation) else { return nil }
    let call = try UserPoolOperations(service).call(route, JSONWriter.write(members), isSigned: true)
    _ = try? await call.respond(context, requestID: "r")
    return context.subject
  }

  /// The operation, and the context of a call of it.
  private func route(
    _ operation: String
  ) throws(UserPoolError) -> (route: OperationRoute, context: CallContext)? {
    let target = (name: "X-Amz-Target", value: "AWSCognitoIdentityProviderService.\(operation)")
    let route: OperationRoute
    do throws(OperationError) {
      let head = OperationRequestHead(method: "POST", target: "/", headers: [target])
      guard let found = try Self.router.route(head) else { return nil }
      route = found
    } catch {
      throw UserPoolError(error)
    }
    let clock = clock
    return (route, CallContext(address: caller) { clock.time })
  }

  /// Calls an operation of the pool: `UserPoolId` is added.
  @discardableResult
  func admin(_ operation: String, _ members: JSONObject = [:]) async throws(UserPoolError) -> JSONObject {
    var members = members
    members["UserPoolId"] = .string(id)
    return try await call(operation, members)
  }

  /// Makes a confirmed user with a permanent password.
  func addUser(
    _ name: String = TestPool.user, password: String = TestPool.password,
    attributes: [String: String] = [:]
  ) async throws {
    let attributes = attributes.sorted { $0.key < $1.key }.map { name, value in
      JSONValue.object(["Name": .string(name), "Value": .string(value)])
    }
    try await admin(
      "AdminCreateUser",
      [
        "Username": .string(name), "MessageAction": "SUPPRESS", "UserAttributes": .array(attributes),
      ])
    try await admin(
      "AdminSetUserPassword",
      ["Username": .string(name), "Password": .string(password), "Permanent": true])
  }
}

/// The code of the error that `body` throws; empty if it throws none.
func errorCode(_ body: () async throws -> Void) async -> String {
  do {
    try await body()
    return ""
  } catch let error as UserPoolError {
    return error.codeText
  } catch {
    return "\(error)"
  }
}

/// The name and the message that a client gets; empty where `body` throws nothing.
func refusal(_ body: () async throws -> Void) async -> String {
  do {
    try await body()
    return ""
  } catch let error as UserPoolError {
    return "\(error.type): \(error.publicMessage)"
  } catch {
    return "\(error)"
  }
}

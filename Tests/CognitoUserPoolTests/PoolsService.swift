internal import CognitoUserPool
internal import Records
internal import ServiceOperations
internal import SigningKeyTesting
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// A service for tests of pools, clients and groups, called as requests call it.
struct PoolsService: Sendable {
  let service: UserPoolService
  let store: any RecordStore

  static let now = Timestamp(seconds: 1_800_000_000)
  static let router = OperationRouter(userPools)

  init(
    settings: UserPoolService.Settings = UserPoolService.Settings(region: "eu-west-1"), master: UInt8 = 7,
    keyMaker: SigningKeyMaker = .vectors()
  ) throws {
    let store = try MemoryRecordStore(tables: UserPoolTables.all)
    self.store = store
    let key = [UInt8](repeating: master, count: 32)
    service = UserPoolService(
      store: store, secrets: try UserPoolSecrets(master: SecretBytes(key.span)), settings: settings,
      keyMaker: keyMaker)
  }

  /// The answer to a developer's call.
  @discardableResult
  func call(
    _ operation: String, _ body: String = "{}", at time: Timestamp = now
  ) async throws(UserPoolError) -> JSONObject {
    let head = OperationRequestHead(
      method: "POST", target: "/",
      headers: [(name: "X-Amz-Target", value: "AWSCognitoIdentityProviderService.\(operation)")])
    let route: OperationRoute?
    do throws(OperationError) { route = try Self.router.route(head) } catch { throw UserPoolError(error) }
    guard let route else { return JSONObject() }
    let call = try UserPoolOperations(service).call(route, Array(body.utf8), isSigned: true)
    let body = try await call.respond(CallContext(at: time), requestID: "r").response.body
    return (try? JSONValue(parsing: body))?.object ?? JSONObject()
  }

  /// The refusal of a developer's call; nil for an answer.
  func refusal(_ operation: String, _ body: String = "{}") async -> UserPoolError? {
    do throws(UserPoolError) {
      _ = try await call(operation, body)
      return nil
    } catch {
      return error
    }
  }

  /// The code of the refusal.
  func code(_ operation: String, _ body: String = "{}") async -> String? {
    await refusal(operation, body)?.codeText
  }

  /// Makes a pool and returns it. `settings` are members of the request.
  func makePool(_ settings: String = "") async throws -> JSONObject {
    let body = "{\"PoolName\":\"tests\"\(settings.isEmpty ? "" : ",")\(settings)}"
    return try #require(try await call("CreateUserPool", body)["UserPool"]?.object)
  }

  /// Makes a pool and returns its id.
  func makePoolID(_ settings: String = "") async throws -> String {
    try #require(try await makePool(settings)["Id"]?.string)
  }

  func describePool(_ id: String) async throws -> JSONObject {
    try #require(try await call("DescribeUserPool", #"{"UserPoolId":"\#(id)"}"#)["UserPool"]?.object)
  }

  /// Makes a client and returns it. `settings` are members of the request.
  func makeClient(_ pool: String, _ settings: String = "") async throws -> JSONObject {
    let rest = settings.isEmpty ? "" : ",\(settings)"
    let body = #"{"UserPoolId":"\#(pool)","ClientName":"app"\#(rest)}"#
    return try #require(try await call("CreateUserPoolClient", body)["UserPoolClient"]?.object)
  }

  /// Stores a user.
  func putUser(_ name: String, _ pool: String, sub: String) async throws {
    var user = User()
    user.poolID = pool
    user.name = name
    user.canonicalName = name
    user.sub = sub
    user.attributes = ["email": "\(name)@example.com"]
    user.created = Self.now
    user.modified = Self.now
    let stored = user
    try await store.write { rows throws(UserPoolError) in
      try rows.put(stored, in: UserPoolTables.users)
    }
  }
}

extension JSONObject {
  /// The texts of a member that is an array.
  func texts(_ name: String) -> [String]? { self[name]?.strings }
  /// The member of a member, and so on.
  func at(_ path: String...) -> JSONValue? {
    var value: JSONValue? = .object(self)
    for name in path { value = value?.object?[name] }
    return value
  }
}

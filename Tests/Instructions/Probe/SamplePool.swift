internal import CognitoIdentity
internal import JOSE
internal import OpenIDConnect
internal import ServiceOperations
internal import SigningKeyTesting
internal import TokenSecurityCrypto

/// An identity pool in memory, with one user of a developer's own.
struct SamplePool {
  let service: IdentityPoolService
  let pool: IdentityPool
  private let operations: IdentityPoolOperations
  private let router = OperationRouter(identityPools, securityTokenService)
  private let accessKeyID: String
  private var identityID = ""

  init() async throws {
    let master = [UInt8](repeating: 7, count: 32)
    service = IdentityPoolService(
      store: try MemoryRecordStore(tables: IdentityTables.all),
      sealing: try SealingKeys(master: SecretBytes(master.span)),
      logins: LoginVerifier(transport: FixedDocument(text: "{}")), keyMaker: .vectors())
    try await service.keys.maintain(at: SampleToken.now)
    pool = try await service.createPool(named: "sample") { pool in
      pool.allowsGuests = true
      pool.developerProviderName = "login.my.app"
    }
    operations = IdentityPoolOperations(service)
    accessKeyID = try await service.createAccessKey(at: SampleToken.now).id
    identityID = try await developerToken()
  }

  /// Reads the rows that each of a user's calls needs, in one transaction.
  func read() async throws {
    let (poolID, identityID) = (pool.id, identityID)
    try await service.store.read(at: SampleToken.now) { rows throws(IdentityError) in
      guard try rows.pool(poolID) != nil,
        try rows.login(inPool: poolID, kind: .developer, provider: "login.my.app", user: "jane") != nil,
        try rows.identity(identityID) != nil
      else { throw .identityUnknown(identityID) }
    }
  }

  /// Calls an operation as its request names it, without the signature.
  func call(_ operation: String, _ body: [UInt8]) async throws {
    let target = (name: "X-Amz-Target", value: "AWSCognitoIdentityService.\(operation)")
    let head = OperationRequestHead(method: "POST", target: "/", headers: [target])
    if let route = try router.route(head) { try await call(route, body) }
  }

  /// Calls an operation of the token service.
  func call(form: [UInt8]) async throws { try await call(try router.route(form: form), form) }

  private func call(_ route: OperationRoute, _ body: [UInt8]) async throws {
    let caller = IdentityPoolOperations.Caller.developer(accessKeyID: accessKeyID)
    let call = try await operations.call(route, body, by: caller)
    _ = try await call.respond(.init(caller: caller, at: SampleToken.now), requestID: "x")
  }

  /// The body of `GetOpenIdTokenForDeveloperIdentity`.
  var developerBody: [UInt8] {
    Array(#"{"IdentityPoolId":"\#(pool.id)","Logins":{"login.my.app":"jane"},"TokenDuration":900}"#.utf8)
  }

  /// Issues a token and returns the id of its identity.
  @discardableResult
  func developerToken() async throws -> String {
    try await service.issueDeveloperToken(
      poolID: pool.id, identityID: nil, logins: ["login.my.app": "jane"], duration: nil, at: SampleToken.now
    ).identityID
  }
}

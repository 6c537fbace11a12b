internal import CognitoUserPool
internal import JOSE
internal import SigningKeyTesting
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// A service over a store with a pool, a client and a user.
struct TokenFixture: Sendable {
  let store: any RecordStore
  let service: UserPoolService
  let pool: UserPool
  let client: UserPoolClient
  let user: User

  static let now = Timestamp(seconds: 1_800_000_000)

  init(
    settings: UserPoolService.Settings = .init(), hooks: (any UserPoolHooks)? = nil,
    on kind: StoreKind = .memory, keyMaker: SigningKeyMaker = .vectors(),
    _ change: (inout UserPool, inout UserPoolClient, inout User) -> Void = { _, _, _ in }
  ) async throws {
    store = try await kind.make()
    service = try Self.service(store, settings: settings, hooks: hooks, keyMaker: keyMaker)
    var pool = UserPool()
    pool.id = "us-east-1_Tokens001"
    pool.name = "tokens"
    var client = UserPoolClient()
    client.id = "client1client1client1client1"
    client.name = "web"
    var user = User()
    user.name = "Jane"
    user.canonicalName = "Jane"
    user.sub = "0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53"
    user.status = .confirmed
    change(&pool, &client, &user)
    client.poolID = pool.id
    user.poolID = pool.id
    (self.pool, self.client, self.user) = (pool, client, user)
    try await put(pool)
    try await put(client)
    try await put(user)
  }

  /// A service on a store, as each node has one. It has other keys than the service of the fixture.
  static func service(
    _ store: any RecordStore, settings: UserPoolService.Settings = .init(),
    hooks: (any UserPoolHooks)? = nil, master: UInt8 = 7, keyMaker: SigningKeyMaker = .vectors(from: 24)
  ) throws -> UserPoolService {
    let key = [UInt8](repeating: master, count: 32)
    return UserPoolService(
      store: store, secrets: try UserPoolSecrets(master: SecretBytes(key.span)), settings: settings,
      hooks: hooks, keyMaker: keyMaker)
  }

  func put(_ pool: UserPool) async throws {
    try await store.write { rows throws(UserPoolError) in try rows.put(pool, in: UserPoolTables.pools) }
  }

  func put(_ client: UserPoolClient) async throws {
    try await store.write { rows throws(UserPoolError) in
      try rows.put(client, in: UserPoolTables.clients)
    }
  }

  func put(_ user: User) async throws {
    try await store.write { rows throws(UserPoolError) in try rows.put(user, in: UserPoolTables.users) }
  }

  /// Adds a group of the user.
  func join(_ name: String, role: String? = nil, precedence: Int64? = nil) async throws {
    var group = UserGroup()
    group.poolID = pool.id
    group.name = name
    group.roleARN = role
    group.precedence = precedence
    var membership = GroupMembership()
    membership.poolID = pool.id
    membership.group = name
    membership.sub = user.sub
    membership.canonicalName = user.canonicalName
    let (row, member) = (group, membership)
    try await store.write { rows throws(UserPoolError) in
      try rows.put(row, in: UserPoolTables.groups)
      try rows.put(member, in: UserPoolTables.memberships)
    }
  }

  /// Adds a device of the user.
  func putDevice(_ key: String, isConfirmed: Bool) async throws {
    var device = UserDevice()
    device.poolID = pool.id
    device.sub = user.sub
    device.key = key
    device.sealed = isConfirmed ? [1] : nil
    let row = device
    try await store.write { rows throws(UserPoolError) in try rows.put(row, in: UserPoolTables.devices) }
  }

  func context(at now: Timestamp = TokenFixture.now) -> CallContext { CallContext(at: now) }

  /// Signs the user in.
  func signIn(
    device: String? = nil, source: TokenGenerationSource = .signIn, at now: Timestamp = TokenFixture.now
  ) async throws -> IssuedTokens {
    try await service.sessions.issueTokens(
      SignInFacts(pool: pool, client: client, user: user, deviceKey: device, authTime: now),
      source: source, context: context(at: now))
  }

  /// Refreshes as REFRESH_TOKEN_AUTH does, or with `replaces` as GetTokensFromRefreshToken.
  func refresh(
    _ token: String, by service: UserPoolService? = nil, client: UserPoolClient? = nil,
    device: String? = nil, hash: RefreshRequest.SecretHash = .checked, replaces: Bool = false,
    at now: Timestamp = TokenFixture.now
  ) async throws(UserPoolError) -> IssuedTokens {
    try await (service ?? self.service).sessions.refresh(
      RefreshRequest(
        pool: pool, client: client ?? self.client, token: token, deviceKey: device, secretHash: hash,
        replaces: replaces), context: context(at: now))
  }

  /// The code of the error with which an access token is refused; empty for one that is accepted.
  func use(
    _ accessToken: String, by service: UserPoolService? = nil, at now: Timestamp = TokenFixture.now
  ) async -> String {
    await errorCode {
      _ = try await (service ?? self.service).callers.tokenCaller(accessToken, context: context(at: now))
    }
  }

  /// The claims of a token, verified with the published keys.
  func claims(_ token: String, at now: Timestamp = TokenFixture.now) async throws -> JSONObject {
    let keys = try JWKSet(
      json: String(decoding: await service.published.keySet(ofPool: pool.id), as: UTF8.self))
    let policy = TokenPolicy(
      issuer: .exactly(service.settings.issuers.issuer(of: pool)),
      audience: .unchecked(because: "access tokens have none"), algorithms: [.rs256])
    return try TokenVerifier(keys: keys, policy: policy).verify(token, at: now).claims.object
  }
}

/// Functions that respond with one JSON each, by ARN.
struct FixedFunctions: UserPoolHooks {
  let responses: [String: String]

  func serves(_ functionARN: String) -> Bool { responses[functionARN] != nil }

  func invoke(_ event: HookEvent) async throws(HookError) -> HookResponse {
    guard let response = responses[event.functionARN] else { throw .unreachable("no function") }
    return HookResponse(json: Array(response.utf8))
  }
}

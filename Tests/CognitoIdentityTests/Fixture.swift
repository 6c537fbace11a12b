internal import CognitoIdentity
internal import Foundation
internal import JOSE
internal import OpenIDConnect
internal import PostgreSQLTestServer
internal import RecordsPostgreSQL
internal import RecordsSQLite
internal import SigningKeyTesting
internal import Testing
internal import TokenSecurityCrypto

/// A service over one of the stores, with a pool that has every kind of login provider.
struct Fixture: Sendable {
  let service: IdentityPoolService
  let pool: IdentityPool
  let store: any RecordStore
  let issuers: FakeIssuers
  let folder: String?

  static let now = Timestamp(seconds: 1_800_000_000)
  static let developer = "login.my.app"
  static let role = "arn:aws:iam::123456789012:role/app-user"
  static let guestRole = "arn:aws:iam::123456789012:role/app-guest"
  static let userPool = "cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Example01"
  static let openIDProvider = "arn:aws:iam::123456789012:oidc-provider/id.example/tenant"

  /// The stores. All tests must pass with both.
  enum Kind: String, CaseIterable, Sendable { case memory, sqlite, postgresql }

  init(
    _ kind: Kind, rotation: RotationRule = RotationRule(), database: String? = nil
  ) async throws {
    switch kind {
    case .memory:
      store = try MemoryRecordStore(tables: IdentityTables.all)
      folder = nil
    case .sqlite:
      let folder = FileManager.default.temporaryDirectory.path + "/identities-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      store = try IdentityDatabase.open(path: folder + "/identities.sqlite")
      self.folder = folder
    case .postgresql:
      let name: String
      if let database { name = database } else { name = try await TestServer.shared.makeDatabase() }
      store = try await PostgreSQLRecordStore(
        TestServer.shared.settings(name), tables: IdentityTables.all)
      folder = nil
    }
    issuers = try FakeIssuers()
    service = try Self.service(store, rotation: rotation, keyMaker: .vectors())
    try await service.keys.maintain(at: Self.now)
    pool = try await service.createPool(named: "tests") { pool in
      pool.allowsGuests = true
      pool.allowsClassicFlow = true
      pool.developerProviderName = Self.developer
      pool.supportedLoginProviders = [
        "accounts.google.com": "google-web;google-app", "appleid.apple.com": "app.example",
        "www.amazon.com": "amazon-client", "graph.facebook.com": "12345",
      ]
      pool.openIDProviderARNs = [Self.openIDProvider]
      pool.userPoolClients = [.init(providerName: Self.userPool, clientID: "client1")]
      pool.roles = ["authenticated": Self.role, "unauthenticated": Self.guestRole]
    }
    let settings = try issuers.settings()
    try await store.write { rows throws(IdentityError) in for provider in settings { try rows.put(provider) }
    }
    try await service.putRole(
      StoredRole(
        arn: Self.role, trustPolicy: Self.trust(pool.id, "authenticated"), longestSession: .seconds(43_200)))
    try await service.putRole(
      StoredRole(arn: Self.guestRole, trustPolicy: Self.trust(pool.id, "unauthenticated")))
  }

  /// A service on a store, as each node has one. It has other keys than the service of the fixture.
  static func service(
    _ store: any RecordStore, rotation: RotationRule = RotationRule(), master: UInt8 = 7,
    keyMaker: SigningKeyMaker = .vectors(from: 24), timers: any Clock<Duration> = ContinuousClock()
  ) throws -> IdentityPoolService {
    let key = [UInt8](repeating: master, count: 32)
    return IdentityPoolService(
      store: store, sealing: try SealingKeys(master: SecretBytes(key.span)), logins: LoginVerifier(),
      rotation: rotation, settings: .init(), keyMaker: keyMaker, timers: timers)
  }

  static func trust(_ pool: String, _ method: String) -> String {
    """
    {"Version": "2012-10-17", "Statement": [{"Effect": "Allow",
      "Principal": {"Federated": "cognito-identity.amazonaws.com"}, "Action": "sts:AssumeRoleWithWebIdentity",
      "Condition": {"StringEquals": {"cognito-identity.amazonaws.com:aud": "\(pool)"},
        "ForAnyValue:StringLike": {"cognito-identity.amazonaws.com:amr": "\(method)"}}}]}
    """
  }

  func remove() {
    if let folder { try? FileManager.default.removeItem(atPath: folder) }
  }

  /// Issues a developer token for `user`, with other logins.
  func token(
    _ user: String, identity: String? = nil, with others: NameMap<String> = [:], duration: Int64? = nil,
    at now: Timestamp = Fixture.now
  ) async throws(IdentityError) -> IssuedToken {
    try await service.issueDeveloperToken(
      poolID: pool.id, identityID: identity, logins: others.merging([Self.developer: user]),
      duration: duration.map { .seconds($0) }, at: now)
  }

  /// The providers and users that are linked to an identity.
  func logins(_ identity: String) async throws -> [String] {
    try await store.read { rows throws(IdentityError) in
      try rows.logins(of: identity).map { "\($0.provider)=\($0.user)" }
    }
  }
}

/// Login providers with stored keys, so that nothing is fetched.
struct FakeIssuers: Sendable {
  let key: JWK
  let strange: JWK

  init() throws {
    key = try VectorKeys.rsa(40, keyID: "fake")
    strange = try VectorKeys.rsa(41, keyID: "fake")
  }

  static let names: [(name: String, issuer: String, audience: String)] = [
    ("accounts.google.com", "https://accounts.google.com", "google-web"),
    ("appleid.apple.com", "https://appleid.apple.com", "app.example"),
    ("www.amazon.com", "https://www.amazon.com", "amazon-client"),
    ("graph.facebook.com", "https://www.facebook.com", "12345"),
    (Fixture.userPool, "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Example01", "client1"),
    ("id.example/tenant", "https://id.example/tenant", "openid-client"),
  ]

  func settings() throws -> [LoginProviderSettings] {
    let text = "{\"keys\":[\(key.publicJWK.map { JSONValue.object($0).description } ?? "")]}"
    return Self.names.map {
      LoginProviderSettings(name: $0.name, clientIDs: [$0.audience], keys: text)
    }
  }

  /// An ID token of a provider for `user`, changed by `change`.
  func token(
    _ provider: String, _ user: String, key other: JWK? = nil, at now: Timestamp = Fixture.now,
    _ change: (inout TokenClaims) -> Void = { _ in }
  ) throws -> String {
    let found = try #require(Self.names.first { $0.name == provider })
    var claims = TokenClaims(issuer: found.issuer, subject: user, audience: [found.audience])
    if provider == Fixture.userPool {
      claims["token_use"] = "id"
      claims["auth_time"] = .number(JSONNumber(now.seconds))
      claims["cognito:username"] = .string(user)
    }
    claims["iat"] = .number(JSONNumber(now.seconds))
    claims["exp"] = .number(JSONNumber(now.seconds + 600))
    change(&claims)
    return try TokenSigner(key: other ?? key).sign(claims)
  }
}

/// The code of the error that `body` throws; empty if it throws none.
func code(_ body: () async throws -> Void) async -> String {
  do {
    try await body()
    return ""
  } catch let error as IdentityError {
    return error.codeText
  } catch {
    return "\(error)"
  }
}

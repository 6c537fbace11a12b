internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Identity pools as Amazon Cognito has them, over a store and without a network.
///
///     let sealing = try SealingKeys(master: SecretBytes.random(count: SealingKeys.masterSize))
///     let service = IdentityPoolService(
///       store: try MemoryRecordStore(tables: IdentityTables.all), sealing: sealing, logins: LoginVerifier())
///     try await service.keys.maintain()
///     let pool = try await service.createPool(named: "app") { $0.developerProviderName = "login.my.app" }
///     let issued = try await service.issueDeveloperToken(poolID: pool.id, logins: ["login.my.app": "jane"])
///     print(issued.token)   // valid for 15 minutes
///
/// ``IdentityPoolOperations`` performs operations of requests for callers whose signature was verified.
public struct IdentityPoolService: Sendable {
  // A single reference keeps copies between tasks cheap.
  private let parts: Parts

  private final class Parts: Sendable {
    let store: any RecordStore
    let keys: IdentityKeyRing
    let sessions: SessionTokens
    let settings: Settings
    let sealing: SealingKeys
    let logins: LoginVerifier
    let observer: (any IdentityObserver)?
    let tokens: IdentityTokens
    let accessKeys = AccessKeyCache()

    init(
      _ store: any RecordStore, _ sealing: SealingKeys, _ logins: LoginVerifier, _ rotation: RotationRule,
      _ settings: Settings, _ observer: (any IdentityObserver)?, _ keyMaker: SigningKeyMaker,
      _ timers: any Clock<Duration>
    ) {
      self.store = store
      self.sealing = sealing
      self.logins = logins
      self.observer = observer
      self.settings = settings
      keys = SigningKeyRing(
        store: store, storage: IdentityKeyStorage(sealing: sealing, region: settings.region), rule: rotation,
        maker: keyMaker, timers: timers)
      sessions = SessionTokens(sealing)
      tokens = IdentityTokens(ring: keys, issuer: settings.issuer, account: settings.account)
    }
  }

  /// The store of pools, identities and keys.
  public var store: any RecordStore { parts.store }
  /// The keys that sign tokens.
  public var keys: IdentityKeyRing { parts.keys }
  /// Issues temporary credentials and opens their session tokens.
  public var sessions: SessionTokens { parts.sessions }
  /// The service's region, account, issuer and limits.
  public var settings: Settings { parts.settings }

  package var sealing: SealingKeys { parts.sealing }
  var logins: LoginVerifier { parts.logins }
  var observer: (any IdentityObserver)? { parts.observer }
  var tokens: IdentityTokens { parts.tokens }
  var accessKeys: AccessKeyCache { parts.accessKeys }

  /// A service's region, account, issuer and limits.
  public struct Settings: Sendable, Hashable {
    /// The region: the first part of pool and identity ids.
    public var region: String
    /// The account in ARNs, 12 digits.
    public var account: String
    /// `iss` of all tokens.
    public var issuer: String
    /// Maximum number of pools.
    public var poolLimit: Int
    /// How long an API may use the signing key of a session before it asks again whether the session was revoked.
    public var sessionRecheck: Duration

    /// Makes settings.
    ///
    /// - Parameters:
    ///   - region: the region. Default: `us-east-1`.
    ///   - account: the account, 12 digits. Default: the account of AWS's examples.
    ///   - issuer: `iss` of tokens. Default: Cognito's issuer.
    ///   - poolLimit: the most pools. Default: 1,000.
    ///   - sessionRecheck: how long an API may use the signing key of a session, in whole seconds. Default: a minute.
    public init(
      region: String = "us-east-1", account: String = "123456789012",
      issuer: String = "https://cognito-identity.amazonaws.com", poolLimit: Int = 1_000,
      sessionRecheck: Duration = .seconds(60)
    ) {
      self.region = region
      self.account = account
      self.issuer = issuer
      self.poolLimit = poolLimit
      self.sessionRecheck = sessionRecheck
    }
  }

  /// The lifetime of tokens of `GetOpenIdToken`: 600 s.
  public static let publicTokenLifetime = TokenDuration.basicFlow.duration
  /// The lifetime of credentials of the enhanced flow: 3,600 s.
  public static let credentialsLifetime = Duration.seconds(3_600)

  /// Makes a service over `store`.
  ///
  /// - Parameters:
  ///   - store: the store of pools, identities and keys.
  ///   - sealing: the keys that seal stored secrets and session tokens.
  ///   - logins: verifies tokens of public login providers.
  ///   - rotation: the schedule of signing keys. Default: a new key every 30 days.
  ///   - settings: the service's region, account, issuer and limits.
  ///   - observer: changes another module's rows of identities with them. Default: none.
  ///   - keyMaker: makes the signing keys. Default: libcrypto, when a key is needed.
  public init(
    store: any RecordStore, sealing: SealingKeys, logins: LoginVerifier,
    rotation: RotationRule = RotationRule(), settings: Settings = Settings(),
    observer: (any IdentityObserver)? = nil, keyMaker: SigningKeyMaker = .generating
  ) {
    parts = Parts(store, sealing, logins, rotation, settings, observer, keyMaker, ContinuousClock())
  }

  /// Makes a service with a clock for the time between loads of signing keys.
  package init(
    store: any RecordStore, sealing: SealingKeys, logins: LoginVerifier, rotation: RotationRule,
    settings: Settings, keyMaker: SigningKeyMaker, timers: any Clock<Duration>
  ) {
    parts = Parts(store, sealing, logins, rotation, settings, nil, keyMaker, timers)
  }

  /// Makes a pool or identity id: the region, a colon and a random UUID (RFC 9562 section 5.4).
  func newID() throws(IdentityError) -> String {
    let id = try IdentityError.crypto { () throws(CryptoError) in try UUIDText.random() }
    return "\(settings.region):\(id)"
  }

  nonisolated(nonsending) func pool(_ id: String) async throws(IdentityError) -> IdentityPool {
    try TextBounds.identityID.check(id, "IdentityPoolId")
    return try await store.read { rows throws(IdentityError) in try Self.pool(id, rows) }
  }

  static func pool(_ id: String, _ rows: ReadTransaction<IdentityError>) throws(IdentityError) -> IdentityPool
  {
    guard let pool = try rows.pool(id) else { throw .poolUnknown(id) }
    return pool
  }

  /// Returns an identity that was not merged into another, and its pool, as they are now.
  nonisolated(nonsending) func identity(
    _ id: String
  ) async throws(IdentityError) -> (identity: Identity, pool: IdentityPool) {
    try TextBounds.identityID.check(id, "IdentityId")
    return try await store.read(at: .now, .fresh) { rows throws(IdentityError) in
      guard let identity = try rows.storedIdentity(id), let pool = try rows.pool(identity.poolID) else {
        throw .identityUnknown(id)
      }
      guard identity.mergedInto == nil else { throw .identityDisabled(id) }
      return (identity, pool)
    }
  }

  static func identity(_ id: String, _ rows: ReadTransaction<IdentityError>) throws(IdentityError) -> Identity
  {
    guard let identity = try rows.identity(id) else { throw .identityUnknown(id) }
    guard identity.mergedInto == nil else { throw .identityDisabled(id) }
    return identity
  }
}

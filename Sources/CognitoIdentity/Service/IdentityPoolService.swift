internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// Identity pools and all that can be asked of them, without a network: what the protocol of Amazon Cognito's identity
/// pools says, over a store.
///
///     let service = IdentityPoolService(
///       store: store, sealing: sealing, logins: LoginVerifier(transport: transport))
///     try await service.keys.maintain()
///     let token = try await service.getOpenIDTokenForDeveloperIdentity(
///       poolID: pool.id, logins: ["login.my.app": "jane"])   // for 15 minutes
///
/// ``answer(_:_:at:)`` takes a request's JSON and gives the answer's. Whether the caller may ask is for whoever has
/// the request's signature: ``Operation/needsSignature``.
public struct IdentityPoolService: Sendable {
  // One reference: a service goes from task to task, and every count of a reference that two threads share costs.
  private let parts: Parts

  private final class Parts: Sendable {
    let store: any IdentityStore
    let keys: SigningKeyRing
    let sessions: SessionTokens
    let settings: Settings
    let sealing: SealingKeys
    let logins: LoginVerifier
    let tokens: IdentityTokens
    let accessKeys = AccessKeyCache()

    init(
      _ store: any IdentityStore, _ sealing: SealingKeys, _ logins: LoginVerifier, _ rotation: RotationRule,
      _ settings: Settings
    ) {
      self.store = store
      self.sealing = sealing
      self.logins = logins
      self.settings = settings
      keys = SigningKeyRing(store: store, sealing: sealing, region: settings.region, rule: rotation)
      sessions = SessionTokens(sealing)
      tokens = IdentityTokens(ring: keys, issuer: settings.issuer, account: settings.account)
    }
  }

  /// Where everything is kept.
  public var store: any IdentityStore { parts.store }
  /// What signs the tokens.
  public var keys: SigningKeyRing { parts.keys }
  /// What makes temporary credentials, and opens their session tokens.
  public var sessions: SessionTokens { parts.sessions }
  /// What this service is.
  public var settings: Settings { parts.settings }

  var sealing: SealingKeys { parts.sealing }
  var logins: LoginVerifier { parts.logins }
  var tokens: IdentityTokens { parts.tokens }
  var accessKeys: AccessKeyCache { parts.accessKeys }

  /// What a service is.
  public struct Settings: Sendable, Hashable {
    /// The region, which ids begin with.
    public var region: String
    /// The account in ARNs, 12 digits.
    public var account: String
    /// `iss` of all tokens.
    public var issuer: String
    /// The most pools there may be.
    public var poolLimit: Int

    /// `us-east-1`, the account of AWS's examples, and Cognito's own issuer, unless said otherwise.
    public init(
      region: String = "us-east-1", account: String = "123456789012",
      issuer: String = "https://cognito-identity.amazonaws.com", poolLimit: Int = 1_000
    ) {
      self.region = region
      self.account = account
      self.issuer = issuer
      self.poolLimit = poolLimit
    }
  }

  /// How long tokens of `GetOpenIdToken` live, in seconds.
  public static let publicTokenLifetime = Duration.seconds(600)
  /// How long credentials of the enhanced flow live, in seconds.
  public static let credentialsLifetime = Duration.seconds(3_600)

  /// A service over `store`.
  ///
  /// - Parameters:
  ///   - store: where everything is kept.
  ///   - sealing: what seals stored secrets and session tokens.
  ///   - logins: what verifies the tokens of public login providers.
  ///   - rotation: how signing keys follow one another.
  ///   - settings: what the service is.
  public init(
    store: any IdentityStore, sealing: SealingKeys, logins: LoginVerifier,
    rotation: RotationRule = RotationRule(), settings: Settings = Settings()
  ) {
    parts = Parts(store, sealing, logins, rotation, settings)
  }

  /// A new id: the region and a random UUID (RFC 9562 section 5.4).
  func newID() throws(IdentityError) -> String {
    let random = try IdentityError.crypto { () throws(CryptoError) in try Random.publicBytes(count: 16) }
    return "\(settings.region):\(UUIDText.version4(random))"
  }

  func pool(_ id: String, name: String = "IdentityPoolId") throws(IdentityError) -> IdentityPool {
    try Bounds.poolOrIdentityID.check(id, name)
    return try store.read { rows throws(IdentityError) in try Self.pool(id, rows) }
  }

  static func pool(_ id: String, _ rows: any IdentityReading) throws(IdentityError) -> IdentityPool {
    guard let pool = try rows.pool(id) else { throw .poolUnknown(id) }
    return pool
  }

  /// An identity that is alive, and its pool.
  func identity(_ id: String) throws(IdentityError) -> (identity: Identity, pool: IdentityPool) {
    try Bounds.poolOrIdentityID.check(id, "IdentityId")
    return try store.read { rows throws(IdentityError) in
      guard let identity = try rows.identity(id) else { throw .identityUnknown(id) }
      guard identity.mergedInto == nil else { throw .identityDisabled(id) }
      return (identity, try Self.pool(identity.poolID, rows))
    }
  }
}

/// Where a page of a list begins: the last name of the page before. It is a place and no secret.
enum PageToken {
  static func make(_ list: String, after name: String) -> String {
    Base64URL.string(Array("\(list)\n\(name)".utf8))
  }

  static func read(_ token: String?, of list: String) throws(IdentityError) -> String? {
    guard let token else { return nil }
    try Bounds.nextToken.check(token, "NextToken")
    guard let bytes = try? Base64URL.decode(token), let text = String(validating: bytes, as: UTF8.self),
      text.utf8.starts(with: "\(list)\n".utf8)
    else { throw .nextTokenInvalid }
    return String(decoding: text.utf8.dropFirst(list.utf8.count + 1), as: UTF8.self)
  }
}

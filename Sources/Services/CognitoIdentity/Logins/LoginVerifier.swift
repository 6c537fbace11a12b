public import OpenIDConnect
internal import Synchronization
internal import TokenSecurityBase

/// A login with its verified claims.
struct VerifiedLogin: Sendable {
  let provider: String
  let user: String
  let claims: TokenClaims
  /// The login's element of `amr`, after the provider's name.
  let amr: String
  /// The kind of provider.
  let source: Source

  /// The kinds of providers that role mappings distinguish.
  enum Source: Sendable, Hashable {
    case developer
    case social
    case userPool
    case openID(arn: String)
  }

  var proved: ProvedLogin { ProvedLogin(provider: provider, user: user, kind: .external) }
}

/// Verifies the tokens of public login providers.
///
/// The pool's client ids are the accepted audiences; the provider's name determines issuer, algorithm and
/// keys. Verifiers and their fetched keys are cached.
public final class LoginVerifier: Sendable {
  private let transport: any HTTPTransport
  let userPools: (any LocalUserPools)?
  private let accessTokens: AccessTokenLogins
  private let verifiers = Mutex<[CacheKey: OpenIDVerifier]>([:])
  /// Maximum number of cached verifiers.
  private static let capacity = 1_000

  /// Maximum size of `sub` in bytes. OpenID Connect allows 255.
  private static let longestSubject = 1_024

  struct CacheKey: Sendable, Hashable {
    let provider: LoginProvider
    let clientIDs: [String]
    var keySet: String?
    /// Of a user pool of this process.
    var issuer: String?
  }

  /// Makes a verifier.
  ///
  /// - Parameters:
  ///   - transport: the HTTP client that fetches the providers' keys: `HTTPClientTransport` of the module
  ///     `AsyncHTTPTransport`, or your own.
  ///   - userPools: user pools of the same process. Default: none.
  ///   - introspection: the providers that are asked about opaque access tokens. Default: none; such tokens are
  ///     refused.
  public init(
    transport: any HTTPTransport, userPools: (any LocalUserPools)? = nil,
    introspection: [AccessTokenIntrospection] = []
  ) {
    self.transport = transport
    self.userPools = userPools
    accessTokens = AccessTokenLogins(introspection, transport)
  }

  /// Makes a verifier that fetches no keys. It verifies tokens of providers with stored keys, and of user pools
  /// of the same process.
  ///
  /// - Parameter userPools: user pools of the same process. Default: none.
  public convenience init(userPools: (any LocalUserPools)? = nil) {
    self.init(transport: NoTransport(), userPools: userPools)
  }

  private struct NoTransport: HTTPTransport {
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      throw .connection("keys are not fetched")
    }
  }

  /// Verifies `token`, a login of the provider `name` in `pool`.
  func verify(
    _ token: String, of name: String, for pool: IdentityPool, _ store: any RecordStore, at now: Timestamp
  ) async throws(IdentityError) -> VerifiedLogin {
    let found = try Self.provider(name, in: pool)
    let settings = try await store.read { rows throws(IdentityError) in try rows.loginProvider(name) }
    let clientIDs = found.clientIDs ?? settings?.clientIDs ?? []
    guard !clientIDs.isEmpty else { throw .providerNotSupported(name) }
    if accessTokens.decides(token, of: found.provider) {
      let user = try await accessTokens.user(
        of: token, found.provider, name, clientIDs: clientIDs, at: now)
      return try Self.login(name, user.id, TokenClaims(subject: user.id, audience: [user.client]), found)
    }
    var key = CacheKey(provider: found.provider, clientIDs: clientIDs, keySet: settings?.keys)
    let isLocal = try await trustLocal(&key, name)
    let verified: VerifiedToken
    do {
      let verifier = try verifier(key)
      verified = try await verifier.verifyFetchingKeys(token, at: now)
    } catch {
      guard error.isRefusal else { throw .loginNotVerified(provider: name, reason: "\(error)") }
      throw .loginRefused(provider: name, code: error.codeText, reason: "\(error)")
    }
    let login = try Self.login(name, verified.claims.subject, verified.claims, found)
    if case .userPool(let id) = found.provider, found.checksSignIn(verified.claims) {
      try await checkSignIn(verified.claims, login.user, userPool: id, name, isLocal: isLocal)
    }
    return login
  }

  /// The login of a user.
  private static func login(
    _ name: String, _ subject: String?, _ claims: TokenClaims, _ found: Supported
  ) throws(IdentityError) -> VerifiedLogin {
    guard let subject, !subject.isEmpty else {
      throw .loginRefused(provider: name, code: "claim_missing", reason: "it has no sub")
    }
    guard subject.utf8.count <= longestSubject else {
      throw .loginRefused(
        provider: name, code: "claim_invalid", reason: "its sub has more than \(longestSubject) bytes")
    }
    let amr: String
    let source: VerifiedLogin.Source
    switch found.provider {
    case .userPool: (amr, source) = ("\(name):CognitoSignIn:\(subject)", .userPool)
    case .openID:
      (amr, source) = ("\(found.arn ?? name):OIDC:\(subject)", .openID(arn: found.arn ?? name))
    default: (amr, source) = ("\(name):OIDC:\(subject)", .social)
    }
    return VerifiedLogin(
      provider: name, user: subject, claims: claims, amr: amr, source: source)
  }

  private struct Supported {
    let provider: LoginProvider
    /// Nil where the pool has none.
    var clientIDs: [String]?
    var arn: String?
    /// Clients whose tokens serve only while their sign-in goes on.
    var checkedClients: [String] = []

    /// True for a token of one of these clients.
    func checksSignIn(_ claims: TokenClaims) -> Bool {
      claims.audience?.contains { client in checkedClients.contains { $0 == client } } ?? false
    }
  }

  private static func provider(_ name: String, in pool: IdentityPool) throws(IdentityError) -> Supported {
    for arn in pool.openIDProviderARNs {
      if LoginProvider(openIDProviderARN: arn) == .openID(host: name) {
        return Supported(provider: .openID(host: name), clientIDs: nil, arn: arn)
      }
    }
    switch LoginProvider(publicName: name) {
    case .userPool(let id)?:
      let clients = pool.userPoolClients.filter { $0.providerName == name }
      guard !clients.isEmpty else { throw .providerNotSupported(name) }
      return Supported(
        provider: .userPool(id: id), clientIDs: clients.map(\.clientID),
        checkedClients: clients.filter(\.checksSignIns).map(\.clientID))
    case let provider?:
      guard let ids = pool.supportedLoginProviders[name] else { throw .providerNotSupported(name) }
      return Supported(provider: provider, clientIDs: ids.parts(at: ";").filter { !$0.isEmpty })
    case nil: throw .providerNotSupported(name)
    }
  }

  private func verifier(_ key: CacheKey) throws(OpenIDError) -> OpenIDVerifier {
    if let cached = verifiers.withLock({ $0[key] }) { return cached }
    var issuer: TrustedIssuer
    switch key.provider {
    case .google: issuer = try .google(clientIDs: key.clientIDs)
    case .apple: issuer = try .apple(clientIDs: key.clientIDs)
    case .amazon: issuer = try .loginWithAmazon(clientIDs: key.clientIDs)
    case .facebook: issuer = try .facebookLimitedLogin(appIDs: key.clientIDs)
    case .userPool(let id):
      issuer = try .cognitoUserPool(id, use: .id, clientIDs: key.clientIDs, issuer: key.issuer)
    case .openID(let host):
      issuer = .openIDProvider(IDTokenRules(issuers: ["https://" + host], clientIDs: key.clientIDs))
    }
    if let text = key.keySet {
      do { issuer.keys = .fixed(try JWKSet(json: text)) } catch { throw .token(error) }
    }
    let made = try OpenIDVerifier([issuer], transport: transport)
    return verifiers.withLock { verifiers in
      // Concurrent callers share one verifier and its keys.
      if let cached = verifiers[key] { return cached }
      if verifiers.count >= Self.capacity { verifiers.removeAll() }
      verifiers[key] = made
      return made
    }
  }
}

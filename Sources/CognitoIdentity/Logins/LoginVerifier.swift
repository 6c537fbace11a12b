internal import TokenSecurityEncodings
public import OpenIDConnect
internal import Synchronization

/// A login whose token held, with what it claims.
struct VerifiedLogin: Sendable {
  let provider: String
  let user: String
  let claims: TokenClaims
  /// How an identity's token names this login in `amr`, after the provider's name.
  let amr: String
  /// What kind of provider it is.
  let source: Source

  /// Kinds of providers, as far as role mappings tell them apart.
  enum Source: Sendable, Hashable {
    case developer
    case social
    case userPool
    case openID(arn: String)
  }

  var proved: ProvedLogin { ProvedLogin(provider: provider, user: user, kind: .external) }
}

/// Verifies the tokens of public login providers by their own rules: nothing is believed.
///
/// What a pool says of its clients picks the audience; the provider's name picks issuer, algorithm and keys. Verifiers
/// are kept, and so are the keys that they have fetched.
public final class LoginVerifier: Sendable {
  private let transport: any HTTPTransport
  private let verifiers = Mutex<[Demand: OpenIDVerifier]>([:])
  /// The most verifiers that are kept: pools' settings change, and their number has no end.
  private static let capacity = 1_000

  /// The most bytes of a user's name at a provider; OpenID Connect allows 255.
  private static let longestSubject = 1_024

  private struct Demand: Sendable, Hashable {
    let provider: LoginProvider
    let clientIDs: [String]
    let keys: String?
  }

  /// A verifier of logins.
  ///
  /// - Parameter transport: the HTTP client that fetches the providers' keys.
  public init(transport: any HTTPTransport) { self.transport = transport }

  /// Verifies the token that `pool` was shown as a login of `name`.
  func verify(
    _ token: String, of name: String, for pool: IdentityPool, _ store: any IdentityStore, at now: NumericDate
  ) async throws(IdentityError) -> VerifiedLogin {
    let found = try Self.provider(name, in: pool)
    let settings = try store.read { rows throws(IdentityError) in try rows.loginProvider(name) }
    let clientIDs = found.clientIDs ?? settings?.clientIDs ?? []
    guard !clientIDs.isEmpty else { throw .providerNotSupported(name) }
    let verified: VerifiedToken
    do {
      let verifier = try verifier(
        Demand(provider: found.provider, clientIDs: clientIDs, keys: settings?.keys))
      verified = try await verifier.verifyFetchingKeys(token, at: now)
    } catch {
      guard error.isRefusal else { throw .loginNotJudged(provider: name, reason: "\(error)") }
      throw .loginRefused(provider: name, code: error.codeText, reason: "\(error)")
    }
    guard let subject = verified.claims.subject, !subject.isEmpty else {
      throw .loginRefused(provider: name, code: "claim_missing", reason: "it has no sub")
    }
    guard subject.utf8.count <= Self.longestSubject else {
      throw .loginRefused(
        provider: name, code: "claim_invalid", reason: "its sub has more than \(Self.longestSubject) bytes")
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
      provider: name, user: subject, claims: verified.claims, amr: amr, source: source)
  }

  private struct Supported {
    let provider: LoginProvider
    /// Nil where the pool does not say.
    var clientIDs: [String]?
    var arn: String?
  }

  private static func provider(_ name: String, in pool: IdentityPool) throws(IdentityError) -> Supported {
    for arn in pool.openIDProviderARNs {
      if LoginProvider(openIDProviderARN: arn) == .openID(host: name) {
        return Supported(provider: .openID(host: name), clientIDs: nil, arn: arn)
      }
    }
    switch LoginProvider(publicName: name) {
    case .userPool(let id)?:
      let clients = pool.userPoolClients.filter { $0.providerName == name }.map(\.clientID)
      // Before anything is looked up under a name that the pool does not have.
      guard !clients.isEmpty else { throw .providerNotSupported(name) }
      return Supported(provider: .userPool(id: id), clientIDs: clients)
    case let provider?:
      guard let ids = pool.supportedLoginProviders[name] else { throw .providerNotSupported(name) }
      return Supported(provider: provider, clientIDs: ids.parts(";").filter { !$0.isEmpty })
    case nil: throw .providerNotSupported(name)
    }
  }

  private func verifier(_ demand: Demand) throws(OpenIDError) -> OpenIDVerifier {
    if let kept = verifiers.withLock({ $0[demand] }) { return kept }
    var issuer: TrustedIssuer
    switch demand.provider {
    case .google: issuer = try .google(clientIDs: demand.clientIDs)
    case .apple: issuer = try .apple(clientIDs: demand.clientIDs)
    case .amazon: issuer = try .loginWithAmazon(clientIDs: demand.clientIDs)
    case .facebook: issuer = try .facebookLimitedLogin(appIDs: demand.clientIDs)
    case .userPool(let id): issuer = try .cognitoUserPool(id, use: .id, clientIDs: demand.clientIDs)
    case .openID(let host):
      issuer = .openIDProvider(IDTokenRules(issuers: ["https://" + host], clientIDs: demand.clientIDs))
    }
    if let text = demand.keys {
      do { issuer.keys = .fixed(try JWKSet(json: text)) } catch { throw .token(error) }
    }
    let made = try OpenIDVerifier([issuer], transport: transport)
    return verifiers.withLock { verifiers in
      // Two that came at once share one, and with it its keys.
      if let kept = verifiers[demand] { return kept }
      if verifiers.count >= Self.capacity { verifiers.removeAll() }
      verifiers[demand] = made
      return made
    }
  }
}

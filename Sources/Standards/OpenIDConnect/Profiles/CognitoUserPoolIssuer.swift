public import JOSE
internal import TokenLifetime
public import TokenSecurityBase

/// A Cognito user pool. Its id determines the region, the issuer and the location of the keys.
public struct CognitoUserPoolIssuer: Sendable, Hashable {
  /// The pool's id: the region, an underscore, and letters and digits.
  public let id: String
  /// The region, from the id.
  public let region: AWSRegion

  /// Parses a pool's id. Throws `identifierInvalid`.
  public init(_ id: String) throws(OpenIDError) {
    let name: UserPoolID
    do { name = try UserPoolID(id) } catch { throw OpenIDError(error) }
    self.id = id
    region = name.region
  }

  /// The issuer of its tokens in the form `ORIGINAL` of the pool's `IssuerConfiguration`.
  public var issuer: String { issuer(in: region) }
  /// The issuer of its tokens in the form `UPDATED`, which a pool can be switched to.
  public var updatedIssuer: String {
    "https://\(AWSRegion.updatedUserPoolHost(in: region.description))/\(id)"
  }

  /// The issuer, in the form `ORIGINAL`, of tokens that a region issues which the pool is replicated to.
  func issuer(in region: AWSRegion) -> String {
    "https://\(AWSRegion.userPoolHost(in: region.description))/\(id)"
  }

  /// The location of its keys.
  public var keys: KeySetLocation {
    get throws(OpenIDError) { try .belowIssuer(issuer) }
  }

  /// Which of the pool's tokens are accepted.
  public enum Use: ExactString, Sendable, Hashable, CaseIterable {
    /// ID tokens. The client is in `aud`.
    case id
    /// Access tokens. The client is in `client_id`; `aud` is absent, the client, or the resource that the
    /// token is bound to.
    case access
    /// Both.
    case either
  }
}

/// Rules for a user pool's tokens.
public struct CognitoUserPoolRules: Sendable {
  /// The pool.
  public var pool: CognitoUserPoolIssuer
  /// The issuer of a pool that another service than AWS has. Default: nil, AWS's in both of its forms.
  public var issuer: String?
  /// The regions to which the pool is replicated. Each issues tokens in its own name where the pool's
  /// `IssuerConfiguration` is `ORIGINAL`.
  public var replicaRegions: [AWSRegion] = []
  /// The accepted kinds of token.
  public var use: CognitoUserPoolIssuer.Use
  /// The accepted app clients.
  public var clientIDs: Expectation<String>
  /// Groups (`cognito:groups`): the user must be in one of them. Empty accepts any user.
  public var groups: [String]
  /// The scopes that an access token must have.
  public var scopes: [String]
  /// Resources (RFC 8707): an access token must be bound to one of them (`aud`). If empty, an access token's
  /// `aud` must be absent or the client, which a pre token generation trigger may put there: a token that is
  /// bound to a resource is for that resource only.
  public var resources: [String]
  /// The authentication context class (`acr`). Default: unchecked.
  public var authenticationContext: Expectation<String> = .unchecked(because: "any class of sign-in")
  /// The accepted clock difference for `exp`, `nbf` and `iat`, 0 to 300 seconds. Default: nil, the defaults
  /// of `TokenPolicy`.
  public var leeway: Duration?
  /// Returns true if a sign-in (`origin_jti`) has been revoked. AWS revokes the access tokens of a revoked
  /// refresh token; without this closure, verification without a network does not notice that.
  public var isRevoked: (@Sendable (_ originTokenID: String) -> Bool)?

  /// Rules with default values.
  public init(
    pool: CognitoUserPoolIssuer, use: CognitoUserPoolIssuer.Use, clientIDs: Expectation<String>,
    groups: [String] = [], scopes: [String] = [], resources: [String] = []
  ) {
    self.pool = pool
    self.use = use
    self.clientIDs = clientIDs
    self.groups = groups
    self.scopes = scopes
    self.resources = resources
  }

  /// The location of the keys: below the issuer.
  public var keys: KeySetLocation {
    get throws(OpenIDError) { try .belowIssuer(issuer ?? pool.issuer) }
  }

  /// The accepted issuers, that of ``keys`` first.
  var issuers: [String] {
    if let issuer { return [issuer] }
    return [pool.issuer, pool.updatedIssuer]
      + replicaRegions.filter { $0 != pool.region }.map(pool.issuer(in:))
  }

  /// The locations of the keys of the other issuers.
  public var separateKeys: [ExactString: KeySetLocation] {
    get throws(OpenIDError) {
      var locations: [ExactString: KeySetLocation] = [:]
      for issuer in issuers.dropFirst() { locations[ExactString(issuer)] = try .belowIssuer(issuer) }
      return locations
    }
  }

  /// The rules as a policy.
  public var policy: TokenPolicy {
    let audience: Expectation<String> =
      switch use {
      case .id: clientIDs
      case .access: .unchecked(because: "an access token's audience is checked with its client")
      case .either: .unchecked(because: "the client is checked by the token's use")
      }
    var policy = TokenPolicy(
      issuer: .oneOf(issuers), audience: audience, algorithms: [.rs256])
    if let leeway { policy.leeway = leeway }
    policy.maximumLifetime = .rule(use == .access ? .userPoolAccessToken : .userPoolIDToken)
    policy.requiredClaims = ["sub", "iat"]
    policy.checks = [CognitoChecks.use(use)]
    if use == .access { policy.checks.append(AccessTokenChecks.client(["client_id"], clientIDs)) }
    if use == .either { policy.checks.append(CognitoChecks.client(clientIDs)) }
    if use != .id { policy.checks.append(CognitoChecks.audience(resources)) }
    policy.checks += [CognitoChecks.subject, CognitoChecks.types]
    if !groups.isEmpty { policy.checks.append(CognitoChecks.groups(groups)) }
    policy.checks += TokenCheck.authenticationContext(authenticationContext)
    policy.checks += scopes.map { AccessTokenChecks.scope($0) }
    if let isRevoked { policy.checks.append(CognitoChecks.revocation(isRevoked)) }
    return policy
  }
}

extension TrustedIssuer {
  /// The tokens of a Cognito user pool.
  ///
  /// - Parameters:
  ///   - id: the pool's id.
  ///   - use: ID tokens, access tokens, or both.
  ///   - clientIDs: the accepted app clients.
  ///   - groups: groups; the user must be in one of them. Default: any user.
  ///   - scopes: the scopes that an access token must have.
  ///   - resources: resources; an access token must be bound to one of them. Default: unbound tokens.
  ///   - issuer: the issuer of a pool that another service than AWS has. Default: AWS's, in both forms. The keys of the
  ///     second form are fetched when a token of it arrives.
  /// - Returns: the issuer.
  /// - Throws: `identifierInvalid` if `id` is malformed.
  public static func cognitoUserPool(
    _ id: String, use: CognitoUserPoolIssuer.Use, clientIDs: [String], groups: [String] = [],
    scopes: [String] = [], resources: [String] = [], issuer: String? = nil
  ) throws(OpenIDError) -> TrustedIssuer {
    var rules = CognitoUserPoolRules(
      pool: try CognitoUserPoolIssuer(id), use: use, clientIDs: .oneOf(clientIDs), groups: groups,
      scopes: scopes, resources: resources)
    rules.issuer = issuer
    return try cognitoUserPool(rules)
  }

  /// The tokens of a Cognito user pool, by these rules.
  public static func cognitoUserPool(_ rules: CognitoUserPoolRules) throws(OpenIDError) -> TrustedIssuer {
    var issuer = TrustedIssuer(policy: rules.policy, keys: .remote(try rules.keys))
    issuer.separateKeys = try rules.separateKeys
    return issuer
  }
}

public import AWSNames
public import TokenSecurityEncodings
public import JOSE
internal import TokenLifetime

/// A Cognito user pool. Its id determines the region, the issuer and the location of the keys.
public struct CognitoUserPool: Sendable, Hashable {
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

  /// The issuer of its tokens.
  public var issuer: String { "https://\(region.host(of: "cognito-idp"))/\(id)" }

  /// The location of its keys.
  public var keys: KeySetLocation {
    get throws(OpenIDError) { try .address(issuer + "/.well-known/jwks.json") }
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
  public var pool: CognitoUserPool
  /// The issuer of a pool that another service than AWS has; nil for AWS's.
  public var issuer: String?
  /// The accepted kinds of token.
  public var use: CognitoUserPool.Use
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
  /// The accepted clock difference for `exp`, `nbf` and `iat`, 0 to 300 seconds. Default: nil, the defaults
  /// of `TokenPolicy`.
  public var leeway: Duration?
  /// Returns true if a sign-in (`origin_jti`) has been revoked. AWS revokes the access tokens of a revoked
  /// refresh token; without this closure, verification without a network does not notice that.
  public var isRevoked: (@Sendable (_ originTokenID: String) -> Bool)?

  /// Rules with default values.
  public init(
    pool: CognitoUserPool, use: CognitoUserPool.Use, clientIDs: Expectation<String>,
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
    get throws(OpenIDError) {
      guard let issuer else { return try pool.keys }
      return try .address(issuer + "/.well-known/jwks.json")
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
      issuer: .exactly(issuer ?? pool.issuer), audience: audience, algorithms: [.rs256])
    if let leeway { policy.leeway = leeway }
    policy.maximumLifetime = .rule(use == .access ? .userPoolAccessToken : .userPoolIDToken)
    policy.requiredClaims = ["sub", "iat"]
    policy.checks = [CognitoChecks.use(use)]
    if use == .access { policy.checks.append(AccessTokenChecks.client(["client_id"], clientIDs)) }
    if use == .either { policy.checks.append(CognitoChecks.client(clientIDs)) }
    if use != .id { policy.checks.append(CognitoChecks.audience(resources)) }
    policy.checks += [CognitoChecks.subject, CognitoChecks.types]
    if !groups.isEmpty { policy.checks.append(CognitoChecks.groups(groups)) }
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
  ///   - issuer: the issuer of a pool that another service than AWS has. Default: AWS's.
  /// - Returns: the issuer.
  /// - Throws: `identifierInvalid` if `id` is malformed.
  public static func cognitoUserPool(
    _ id: String, use: CognitoUserPool.Use, clientIDs: [String], groups: [String] = [], scopes: [String] = [],
    resources: [String] = [], issuer: String? = nil
  ) throws(OpenIDError) -> TrustedIssuer {
    var rules = CognitoUserPoolRules(
      pool: try CognitoUserPool(id), use: use, clientIDs: .oneOf(clientIDs), groups: groups, scopes: scopes,
      resources: resources)
    rules.issuer = issuer
    return try cognitoUserPool(rules)
  }

  /// The tokens of a Cognito user pool, by these rules.
  public static func cognitoUserPool(_ rules: CognitoUserPoolRules) throws(OpenIDError) -> TrustedIssuer {
    TrustedIssuer(policy: rules.policy, keys: .remote(try rules.keys))
  }
}

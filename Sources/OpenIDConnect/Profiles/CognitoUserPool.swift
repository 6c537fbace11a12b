public import AWSNames
public import TokenSecurityEncodings
public import JOSE
internal import TokenLifetime

/// A Cognito user pool. Its id alone says its region, its issuer and where its keys are.
public struct CognitoUserPool: Sendable, Hashable {
  /// The pool's id: `REGION_` and letters and digits.
  public let id: String
  /// The region, from the id.
  public let region: AWSRegion

  /// The pool of this id. Throws `identifierInvalid` where it is none.
  public init(_ id: String) throws(OpenIDError) {
    let name: UserPoolID
    do { name = try UserPoolID(id) } catch { throw OpenIDError(error) }
    self.id = id
    region = name.region
  }

  /// The issuer of its tokens.
  public var issuer: String { "https://cognito-idp.\(region).\(region.partition.domain)/\(id)" }

  /// Where its keys are.
  public var keys: KeySetLocation {
    get throws(OpenIDError) { try .address(issuer + "/.well-known/jwks.json") }
  }

  /// Which of the pool's tokens are accepted.
  public enum Use: ExactString, Sendable, Hashable, CaseIterable {
    /// ID tokens: who the user is. The client is in `aud`.
    case id
    /// Access tokens: what may be done. The client is in `client_id`; `aud` is absent, or the client, or the resource
    /// that the token is bound to.
    case access
    /// Both.
    case either
  }
}

/// What is demanded of a user pool's tokens.
public struct CognitoUserPoolRules: Sendable {
  /// The pool.
  public var pool: CognitoUserPool
  /// Which of its tokens.
  public var use: CognitoUserPool.Use
  /// The app clients that may have asked for the token.
  public var clientIDs: Expectation<String>
  /// Groups of which the user must be in one (`cognito:groups`); empty where groups do not matter.
  public var groups: [String]
  /// Scopes that an access token must have, all of them.
  public var scopes: [String]
  /// Resources of which an access token must be bound to one (`aud`; resource binding, RFC 8707). Where none is named,
  /// an access token's `aud` must be absent or the client that asked for it, which a pre token generation trigger may
  /// put there: a token that is bound to a resource is for that resource alone.
  public var resources: [String]
  /// How far clocks may differ, 0 to 300 seconds, for `exp`, `nbf` and `iat`. Default: nil, which leaves the defaults of
  /// `TokenPolicy`.
  public var leeway: Duration?
  /// Asked with `origin_jti`, the name of the sign-in that a token comes from, whether that has been revoked.
  /// A revoked refresh token takes its access tokens with it at AWS; a check like this one, which asks
  /// nobody, does not see that.
  public var isRevoked: (@Sendable (_ originTokenID: String) -> Bool)?

  /// Rules with their defaults.
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

  /// The rules as a policy.
  public var policy: TokenPolicy {
    let audience: Expectation<String> =
      switch use {
      case .id: clientIDs
      case .access: .unchecked(because: "an access token's is judged beside its client")
      case .either: .unchecked(because: "the client is judged by the token's use")
      }
    var policy = TokenPolicy(
      issuer: .exactly(pool.issuer), audience: audience, algorithms: [.rs256])
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
  ///   - id: the pool's id; region, issuer and keys follow from it.
  ///   - use: ID tokens, access tokens, or both.
  ///   - clientIDs: the app clients that may have asked for them.
  ///   - groups: groups of which the user must be in one; none where groups do not matter.
  ///   - scopes: scopes that an access token must have, all of them.
  ///   - resources: resources of which an access token must be bound to one; none where it need not be bound.
  /// - Throws: `identifierInvalid` where `id` is no pool's id.
  public static func cognitoUserPool(
    _ id: String, use: CognitoUserPool.Use, clientIDs: [String], groups: [String] = [], scopes: [String] = [],
    resources: [String] = []
  ) throws(OpenIDError) -> TrustedIssuer {
    try cognitoUserPool(
      CognitoUserPoolRules(
        pool: CognitoUserPool(id), use: use, clientIDs: .oneOf(clientIDs), groups: groups, scopes: scopes,
        resources: resources))
  }

  /// The tokens of a Cognito user pool, by rules that say everything.
  public static func cognitoUserPool(_ rules: CognitoUserPoolRules) throws(OpenIDError) -> TrustedIssuer {
    TrustedIssuer(policy: rules.policy, keys: .remote(try rules.pool.keys))
  }
}

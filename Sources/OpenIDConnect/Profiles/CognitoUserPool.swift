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
    func refuse(_ rule: String) -> OpenIDError {
      .identifierInvalid(kind: "user pool's id", value: id, rule: rule)
    }
    guard id.utf8.count <= 55 else { throw refuse("it has more than 55 characters") }
    let parts = id.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty, parts[1].utf8.allSatisfy(Self.isAlphanumeric),
      let region = try? AWSRegion(String(parts[0]))
    else { throw refuse("it is not a region, an underscore, and letters and digits") }
    self.id = id
    self.region = region
  }

  /// The issuer of its tokens.
  public var issuer: String { "https://cognito-idp.\(region).\(region.partition.suffix)/\(id)" }

  /// Where its keys are.
  public var keys: KeySetLocation {
    get throws(OpenIDError) { .address(try WebAddress(issuer + "/.well-known/jwks.json")) }
  }

  /// Which of the pool's tokens are accepted.
  public enum Use: String, Sendable, Hashable, CaseIterable {
    /// ID tokens: who the user is. The client is in `aud`.
    case id
    /// Access tokens: what may be done. The client is in `client_id`; there is no `aud`.
    case access
    /// Both.
    case either
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
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
  /// How many seconds clocks may differ by, 0 to 300; 0 unless said otherwise.
  public var leeway: Int64
  /// Asked with `origin_jti`, the name of the sign-in that a token comes from, whether that has been revoked.
  /// A revoked refresh token takes its access tokens with it at AWS; a check like this one, which asks
  /// nobody, does not see that.
  public var isRevoked: (@Sendable (_ originTokenID: String) -> Bool)?

  /// Rules with their defaults.
  public init(
    pool: CognitoUserPool, use: CognitoUserPool.Use, clientIDs: Expectation<String>,
    groups: [String] = [], scopes: [String] = []
  ) {
    self.pool = pool
    self.use = use
    self.clientIDs = clientIDs
    self.groups = groups
    self.scopes = scopes
    leeway = 0
  }

  /// The rules as a policy.
  public var policy: TokenPolicy {
    let audience: Expectation<String> =
      switch use {
      case .id: clientIDs
      case .access: .absent
      case .either: .unchecked(because: "the client is judged by the token's use")
      }
    var policy = TokenPolicy(
      issuer: .exactly(pool.issuer), audience: audience, algorithms: [.rs256])
    policy.leeway = leeway
    policy.maximumLifetime = .rule(use == .access ? .userPoolAccessToken : .userPoolIDToken)
    policy.requiredClaims = ["sub", "iat"]
    policy.checks = [CognitoChecks.use(use)]
    if use == .access { policy.checks.append(AccessTokenRules.client("client_id", clientIDs)) }
    if use == .either { policy.checks.append(CognitoChecks.client(clientIDs)) }
    policy.checks += [CognitoChecks.subject, CognitoChecks.types]
    if !groups.isEmpty { policy.checks.append(CognitoChecks.groups(groups)) }
    policy.checks += scopes.map(AccessTokenRules.scope)
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
  /// - Throws: `identifierInvalid` where `id` is no pool's id.
  public static func cognitoUserPool(
    _ id: String, use: CognitoUserPool.Use, clientIDs: [String], groups: [String] = [], scopes: [String] = []
  ) throws(OpenIDError) -> TrustedIssuer {
    try cognitoUserPool(
      CognitoUserPoolRules(
        pool: CognitoUserPool(id), use: use, clientIDs: .oneOf(clientIDs), groups: groups, scopes: scopes))
  }

  /// The tokens of a Cognito user pool, by rules that say everything.
  public static func cognitoUserPool(_ rules: CognitoUserPoolRules) throws(OpenIDError) -> TrustedIssuer {
    TrustedIssuer(policy: rules.policy, keys: .remote(try rules.pool.keys))
  }
}

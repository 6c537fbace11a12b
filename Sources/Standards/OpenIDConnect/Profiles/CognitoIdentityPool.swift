public import JOSE
internal import TokenLifetime
public import TokenSecurityBase

/// A Cognito identity pool. Its id determines the region, the issuer and the location of the keys.
public struct CognitoIdentityPool: Sendable, Hashable {
  /// The pool's id: a region, a colon and a UUID.
  public let id: String
  /// The region, from the id.
  public let region: AWSRegion

  /// Parses a pool's id. Throws `identifierInvalid`.
  public init(_ id: String) throws(OpenIDError) {
    region = try Self.region(of: id, kind: "identity pool's id")
    self.id = id
  }

  /// The issuer of its tokens: one per partition; in GovCloud and China one per region.
  public var issuer: String {
    switch region.partition {
    case .commercial: "https://cognito-identity.amazonaws.com"
    case .china: "https://cognito-identity.\(region).amazonaws.com.cn"
    case .govCloud:
      region.description == "us-gov-west-1"
        ? "https://cognito-identity-us-gov.amazonaws.com" : "https://cognito-identity.\(region).amazonaws.com"
    }
  }

  /// The location of its keys.
  public var keys: KeySetLocation {
    get throws(OpenIDError) {
      try .address(issuer + "/.well-known/jwks_uri").reading(.loose)
    }
  }

  /// The region in `id`, which must be a region, a colon and a UUID.
  static func region(of id: String, kind: String) throws(OpenIDError) -> AWSRegion {
    let parts = id.parts(at: ":")
    guard parts.count == 2, UUIDText.isUUID(parts[1]), let region = try? AWSRegion(parts[0]) else {
      throw .identifierInvalid(
        kind: kind, value: id, rule: "it is not a region, a colon and a UUID")
    }
    return region
  }
}

/// Rules for an identity pool's OpenID tokens (`GetOpenIdToken`, `GetOpenIdTokenForDeveloperIdentity`).
public struct CognitoIdentityPoolRules: Sendable {
  /// The pool.
  public var pool: CognitoIdentityPool
  /// Whether guests, identities that have not signed in, are accepted. Default: false.
  public var acceptsGuests: Bool
  /// Login providers: the identity must have signed in with one of them. Empty accepts any.
  public var providers: [String]
  /// The accepted clock difference for `exp`, `nbf` and `iat`, 0 to 300 seconds. Default: nil, the defaults
  /// of `TokenPolicy`.
  public var leeway: Duration?

  /// Rules with default values.
  public init(pool: CognitoIdentityPool, acceptsGuests: Bool = false, providers: [String] = []) {
    self.pool = pool
    self.acceptsGuests = acceptsGuests
    self.providers = providers
  }

  /// The rules as a policy.
  public var policy: TokenPolicy {
    var policy = TokenPolicy(
      issuer: .exactly(pool.issuer), audience: .exactly(pool.id), algorithms: [.rs512])
    if let leeway { policy.leeway = leeway }
    policy.signature.type = "JWS"
    policy.maximumLifetime = .rule(.developerToken)
    policy.requiredClaims = ["sub", "iat", "amr"]
    policy.checks = [identity, methods]
    return policy
  }

  private var identity: TokenCheck {
    let region = pool.region
    return TokenCheck(
      "identity", reference: nil, expected: "an identity id of the region \(region)",
      actual: { claims, _ in claims.subject?.quoted ?? "absent" },
      refusal: { claims, _, _ in
        let actual = try? CognitoIdentityPool.region(of: claims.subject ?? "", kind: "identity")
        return actual == region
          ? nil
          : ClaimError.claimInvalid(name: "sub", rule: "is not an identity id of the region \(region)")
            .refusal
      })
  }

  private var methods: TokenCheck {
    let (acceptsGuests, providers) = (self.acceptsGuests, self.providers)
    let inWords =
      providers.isEmpty
      ? (acceptsGuests ? "signed in, or a guest" : "signed in")
      : "signed in with one of " + providers.quotedList
    return TokenCheck(
      "amr", reference: nil, expected: inWords,
      actual: { claims, _ in claims["amr"]?.strings.map { $0.quotedList } ?? "absent" },
      refusal: { claims, _, _ in
        let methods: CognitoLogins
        do throws(ClaimError) { methods = try CognitoLogins(claims) } catch { return error.refusal }
        guard methods.isAuthenticated || acceptsGuests && providers.isEmpty else {
          return ClaimError.identityMismatch(isAuthenticated: false).refusal
        }
        let actual = methods.logins.map(\.provider)
        guard providers.isEmpty || actual.contains(where: { providers.contains($0) }) else {
          return ClaimError.providerMissing(expected: providers, actual: actual).refusal
        }
        return nil
      })
  }
}

extension TrustedIssuer {
  /// The OpenID tokens of a Cognito identity pool.
  ///
  /// - Parameters:
  ///   - id: the pool's id.
  ///   - acceptsGuests: whether guests, identities that have not signed in, are accepted.
  ///   - providers: login providers; the identity must have signed in with one of them. Default: any.
  /// - Returns: the issuer.
  /// - Throws: `identifierInvalid` if `id` is malformed.
  public static func cognitoIdentityPool(
    _ id: String, acceptsGuests: Bool = false, providers: [String] = []
  ) throws(OpenIDError) -> TrustedIssuer {
    let pool = try CognitoIdentityPool(id)
    let rules = CognitoIdentityPoolRules(pool: pool, acceptsGuests: acceptsGuests, providers: providers)
    return TrustedIssuer(policy: rules.policy, keys: .remote(try pool.keys))
  }
}

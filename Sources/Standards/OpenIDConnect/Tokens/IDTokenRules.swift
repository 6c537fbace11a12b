public import JOSE
internal import TokenSecurityBase

/// Rules for all ID tokens of a provider (OpenID Connect Core section 3.1.3.7). Rules for a single sign-in,
/// for example its nonce, are a ``SignIn``.
public struct IDTokenRules: Sendable {
  /// The accepted issuers, compared byte for byte. Most providers have one.
  public var issuers: [String]
  /// Your client ids. The token must have one of them as an audience.
  public var clientIDs: [String]
  /// Other trusted audiences. A token with any further audience is refused.
  public var trustedAudiences: [String]
  /// The clients that may have requested the token (`azp`). Default: your client ids.
  public var authorizedParties: [String]
  /// The accepted algorithms. Default: all asymmetric ones. Use those that the provider registered for your
  /// client.
  public var algorithms: Set<Algorithm>
  /// The authentication context class (`acr`). Default: unchecked.
  public var authenticationContext: Expectation<String>
  /// The required authentication methods (`amr`).
  public var authenticationMethods: [String]
  /// The longest accepted lifetime of a token. Default: 24 hours.
  public var maximumLifetime: Limit
  /// The accepted clock difference for `exp`, `nbf` and `iat`, 0 to 300 seconds. Default: nil, the defaults
  /// of `TokenPolicy`.
  public var leeway: Duration?

  /// Rules with default values.
  public init(issuers: [String], clientIDs: [String]) {
    self.issuers = issuers
    self.clientIDs = clientIDs
    trustedAudiences = []
    authorizedParties = clientIDs
    algorithms = Algorithm.asymmetric
    authenticationContext = .unchecked(because: "any class of sign-in")
    authenticationMethods = []
    maximumLifetime = .atMost(TokenPolicy.defaultMaximumLifetime)
  }

  /// The rules as a policy.
  public var policy: TokenPolicy {
    var policy = TokenPolicy(
      issuer: .oneOf(issuers), audience: .oneOf(clientIDs), algorithms: algorithms)
    policy.maximumLifetime = maximumLifetime
    if let leeway { policy.leeway = leeway }
    policy.requiredClaims = ["iss", "sub", "iat"]
    policy.checks = [
      TokenKind.idToken.check(), Self.subject, audiences, authorizedParty,
    ]
    policy.checks += TokenCheck.authenticationContext(authenticationContext)
    policy.checks += authenticationMethods.map(Self.method)
    return policy
  }

  /// `sub`: 1 to 255 ASCII characters (section 2).
  static let subject = TokenCheck(
    "subject", reference: "OpenID Connect Core section 2", expected: "1 to 255 ASCII characters",
    actual: { claims, _ in claims.subject.map { "\($0.utf8.count) bytes" } },
    refusal: { claims, _, _ in
      guard let subject = claims.subject, (1...255).contains(subject.utf8.count),
        subject.utf8.allSatisfy({ $0 < 0x80 })
      else { return ClaimError.subjectInvalid.refusal }
      return nil
    })

  private var audiences: TokenCheck {
    let trusted = clientIDs + trustedAudiences
    return TokenCheck(
      "audiences", reference: "OpenID Connect Core section 3.1.3.7", expected: "all are trusted",
      refusal: { claims, _, _ in
        for audience in claims.audience ?? [] where !trusted.contains(audience) {
          return ClaimError.audienceUntrusted(audience).refusal
        }
        return nil
      })
  }

  private var authorizedParty: TokenCheck {
    let parties = authorizedParties
    return TokenCheck(
      "azp", reference: "OpenID Connect Core section 3.1.3.7",
      expected: "one of \(parties.quotedList), if there is one; required with several audiences",
      actual: { claims, _ in claims["azp"]?.string?.quoted ?? "absent" },
      refusal: { claims, _, _ in
        guard let value = claims["azp"] else {
          return claims.audience?.count ?? 0 > 1 ? ClaimError.authorizedPartyMissing.refusal : nil
        }
        guard let actual = value.string else {
          return ClaimError.claimInvalid(name: "azp", rule: "must be a string").refusal
        }
        guard parties.contains(actual) else {
          return ClaimError.authorizedPartyMismatch(actual: actual, expected: parties).refusal
        }
        return nil
      })
  }

  private static func method(_ name: String) -> TokenCheck {
    TokenCheck.list("amr", reference: "OpenID Connect Core section 2", expected: name.quoted + " among them")
    {
      $0.contains(name) ? nil : .methodMissing(name)
    }
  }
}

internal import TokenSecurityEncodings
public import JOSE

/// What is demanded of every ID token of a provider (OpenID Connect Core section 3.1.3.7). What is
/// demanded of the answer to one sign-in, its nonce for instance, is a ``SignIn``.
public struct IDTokenRules: Sendable {
  /// The issuers that are accepted, byte for byte. Most providers have one.
  public var issuers: [String]
  /// Our client ids. One of them must be among the token's audiences.
  public var clientIDs: [String]
  /// Audiences besides ours that are trusted. A token for anyone else too is refused.
  public var trustedAudiences: [String]
  /// Who may have asked for the token (`azp`); our client ids unless said otherwise.
  public var authorizedParties: [String]
  /// The algorithms that may be used: every one with a key pair unless said otherwise. What the provider
  /// registered for the client belongs here.
  public var algorithms: Set<Algorithm>
  /// `acr`, the class of the sign-in.
  public var authenticationContext: Expectation<String>
  /// Methods that `amr` must have, all of them.
  public var authenticationMethods: [String]
  /// The longest life of a token; 24 hours unless said otherwise.
  public var maximumLifetime: Limit
  /// How far clocks may differ, 0 to 300 seconds, for `exp`, `nbf` and `iat`. Default: nil, which leaves the defaults of
  /// `TokenPolicy`.
  public var leeway: Duration?

  /// Rules with their defaults.
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
    if let context = context { policy.checks.append(context) }
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
      "audiences", reference: "OpenID Connect Core section 3.1.3.7", expected: "nobody who is not trusted",
      refusal: { claims, _, _ in
        for audience in claims.audience ?? []
        where !trusted.contains(audience) {
          return ClaimError.audienceUntrusted(audience).refusal
        }
        return nil
      })
  }

  private var authorizedParty: TokenCheck {
    let parties = authorizedParties
    return TokenCheck(
      "azp", reference: "OpenID Connect Core section 3.1.3.7",
      expected: "one of ours, if there is one; there with several audiences",
      actual: { claims, _ in claims["azp"]?.string?.quoted ?? "absent" },
      refusal: { claims, _, _ in
        guard let value = claims["azp"] else {
          return claims.audience?.count ?? 0 > 1 ? ClaimError.authorizedPartyMissing.refusal : nil
        }
        guard let found = value.string else {
          return ClaimError.claimInvalid(name: "azp", rule: "must be a string").refusal
        }
        guard parties.contains(found) else {
          return ClaimError.authorizedPartyMismatch(actual: found, expected: parties).refusal
        }
        return nil
      })
  }

  private var context: TokenCheck? {
    let expectation = authenticationContext
    guard case .unchecked = expectation else {
      return TokenCheck(
        "acr", reference: "OpenID Connect Core section 2", expected: "the class of sign-in that is wanted",
        actual: { claims, _ in claims["acr"]?.string?.quoted ?? "absent" },
        refusal: { claims, _, _ in
          let found = claims["acr"]?.string
          switch expectation {
          case .oneOf(let wanted):
            return found.map { wanted.contains($0) } == true
              ? nil : ClaimError.contextMismatch(actual: found, expected: wanted).refusal
          case .absent:
            return claims.has("acr") ? ClaimError.contextMismatch(actual: found, expected: []).refusal : nil
          case .unchecked: return nil
          }
        })
    }
    return nil
  }

  private static func method(_ name: String) -> TokenCheck {
    TokenCheck(
      "amr", reference: "OpenID Connect Core section 2", expected: name.quoted + " among them",
      actual: { claims, _ in claims["amr"]?.strings.map { $0.quotedList } ?? "absent" },
      refusal: { claims, _, _ in
        claims["amr"]?.strings?.contains(name) == true ? nil : ClaimError.methodMissing(name).refusal
      })
  }
}

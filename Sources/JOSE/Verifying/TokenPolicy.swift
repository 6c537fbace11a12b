public import TokenSecurityEncodings
internal import TokenLifetime

/// What a verifier demands of a token (RFC 7519 section 4, RFC 8725). A value: it can be
/// compared, stored beside the code, and is explained by ``TokenVerifier/explain(_:at:)``.
///
/// Issuer and audience must be said. Everything else has a default that refuses.
///
///     let policy = TokenPolicy(issuer: "https://issuer.example", audience: "my-api")
public struct TokenPolicy: Sendable {
  /// `iss`, compared byte for byte.
  public var issuer: Expectation<String>
  /// `aud`: at least one of a token's audiences must be among these.
  public var audience: Expectation<String>
  /// `sub`, compared byte for byte.
  public var subject: Expectation<String>
  /// Whether `exp` must be there.
  public var expiration: Presence
  /// How far clocks may differ, 0 to 300 seconds: `exp`, `nbf`, `iat` and ages are checked that much more leniently. A
  /// fraction of a second is dropped.
  ///
  /// Default: nil. Then an issuer's clock may be ``defaultLeeway`` ahead (`nbf`, `iat`, `auth_time`), while `exp` and ages
  /// are exact.
  public var leeway: Duration?
  /// The longest that a token may live, `exp` - `iat`. Default: 24 hours. For a token without `iat`, the remaining life.
  public var maximumLifetime: Limit
  /// The longest ago that a token may have been issued (`iat`).
  public var maximumAge: Limit
  /// The longest ago that the user may have signed in (`auth_time`).
  public var maximumAuthenticationAge: Limit
  /// Claims that must be there, whatever their value.
  public var requiredClaims: [String]
  /// Claims whose value matters, by name, in the order in which they are judged.
  public var claims: [ClaimExpectation]
  /// Further checks, judged in order: last, or right after the types of the claims where a check says so.
  public var checks: [TokenCheck]
  /// Header, algorithms, sizes.
  public var signature: SignatureRules

  /// Whether a claim must be there.
  public enum Presence: Sendable, Hashable {
    case required
    /// The claim is judged where it is there.
    case optional(because: String)
  }

  /// A claim and what is wanted of it.
  public struct ClaimExpectation: Sendable, Hashable {
    /// The claim's name.
    public var name: String
    /// What is wanted. An array claim matches where it has one of the values among its elements.
    public var expectation: Expectation<JSONValue>

    /// The claim called `name` must be as `expectation` says.
    public init(_ name: String, _ expectation: Expectation<JSONValue>) {
      self.name = name
      self.expectation = expectation
    }
  }

  /// The default of ``maximumLifetime``: 24 hours.
  public static let defaultMaximumLifetime = LifetimeRule.developerToken.longest
  /// The largest ``leeway``.
  public static let largestLeeway = Duration.seconds(300)
  /// How far an issuer's clock may be ahead where ``leeway`` is nil.
  public static let defaultLeeway = Duration.seconds(10)

  /// How many seconds `nbf`, `iat` and `auth_time` may be in the future.
  package var startLeeway: Int64 { (leeway ?? Self.defaultLeeway).wholeSeconds }
  /// How many seconds longer than `exp` and the limits of ages say a token is accepted.
  package var endLeeway: Int64 { (leeway ?? .zero).wholeSeconds }

  /// A policy with its defaults.
  public init(
    issuer: Expectation<String>, audience: Expectation<String>,
    algorithms: Set<Algorithm> = Set(Algorithm.allCases)
  ) {
    self.issuer = issuer
    self.audience = audience
    subject = .unchecked(because: "any subject")
    expiration = .required
    leeway = nil
    maximumLifetime = .atMost(Self.defaultMaximumLifetime)
    maximumAge = .unchecked(because: "no limit")
    maximumAuthenticationAge = .unchecked(because: "no limit")
    requiredClaims = []
    claims = []
    checks = []
    signature = SignatureRules(algorithms: algorithms)
  }

  /// Refuses a policy that cannot be meant.
  func validate() throws(JOSEError) {
    if let leeway, !(.zero...Self.largestLeeway).contains(leeway) {
      let seconds = leeway < .zero ? leeway.wholeSeconds : leeway.secondsRoundedUp
      throw .policyInvalid(
        rule: "the leeway is \(seconds) s where 0 to \(Self.largestLeeway.wholeSeconds) s are allowed")
    }
    for (name, limit) in [
      ("lifetime", maximumLifetime), ("age", maximumAge),
      ("age of the sign-in", maximumAuthenticationAge),
    ] {
      if let seconds = limit.longest, seconds <= 0 {
        throw .policyInvalid(rule: "the longest \(name) is \(seconds) s and must be above 0")
      }
    }
    if case .optional = expiration, maximumLifetime.longest != nil {
      throw .policyInvalid(
        rule: "a token without \"exp\" lives for ever: a policy that admits it cannot limit its life")
    }
    for expectation in [issuer, audience, subject, signature.type] {
      if case .oneOf(let values) = expectation, values.isEmpty {
        throw .policyInvalid(rule: "an expectation of one of no values can never be met")
      }
    }
    for claim in claims where claim.expectation == .oneOf([]) {
      throw .policyInvalid(
        rule: "the claim \(claim.name.quoted) is expected to be one of no values, which can never be met")
    }
    guard signature.candidateLimit > 0 else {
      throw .policyInvalid(rule: "no key may be tried, so that no token can be accepted")
    }
    guard !signature.algorithms.isEmpty else {
      throw .policyInvalid(rule: "no algorithm is allowed, so that no token can be accepted")
    }
  }
}

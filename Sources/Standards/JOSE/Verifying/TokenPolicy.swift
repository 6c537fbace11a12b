internal import TokenLifetime
public import TokenSecurityBase

/// A verifier's expectations of a token (RFC 7519 section 4, RFC 8725). ``TokenVerifier/explain(_:at:)`` shows it check
/// by check.
///
/// Issuer and audience are required. Everything else has a strict default.
///
///     let policy = TokenPolicy(issuer: "https://issuer.example", audience: "my-api")
public struct TokenPolicy: Sendable {
  /// `iss`, compared byte for byte.
  public var issuer: Expectation<String>
  /// `aud`: at least one of a token's audiences must be one of these.
  public var audience: Expectation<String>
  /// `sub`, compared byte for byte.
  public var subject: Expectation<String>
  /// The methods by which a token may be bound to a key of its sender (`cnf`, RFC 7800 section 3.1): `jkt` for DPoP
  /// (RFC 9449 section 6.1), `x5t#S256` for a client certificate (RFC 8705 section 3.1). Default: a bound token is
  /// refused.
  ///
  /// A policy sees the token alone. Accept the methods that your code checks for each request: whoever has stolen a bound
  /// token can use it where nobody does.
  public var binding: Admission
  /// Who may act for the subject (`act`, RFC 8693 section 4.1), by the `sub` of the current actor. Default: a token with
  /// an actor is refused.
  public var actors: Admission
  /// Whether `exp` is required.
  public var expiration: Presence
  /// The tolerated difference of clocks, 0 to 300 whole seconds, for `exp`, `nbf`, `iat` and ages.
  ///
  /// Default: nil. The issuer's clock may then be ``defaultLeeway`` ahead (`nbf`, `iat`, `auth_time`); `exp`
  /// and ages are exact.
  public var leeway: Duration?
  /// The maximum of `exp` - `iat`, or of the remaining time for a token without `iat`. Default: 24 hours.
  public var maximumLifetime: Limit
  /// The maximum time since the token was issued (`iat`). Default: unchecked.
  public var maximumAge: Limit
  /// The maximum time since the user signed in (`auth_time`). Default: unchecked.
  public var maximumAuthenticationAge: Limit
  /// Claims that must be present with any value.
  public var requiredClaims: [String]
  /// Expected values of other claims, in the order in which they are checked.
  public var claims: [ClaimExpectation]
  /// Further checks. They run last, or right after the types of the claims if ``TokenCheck/isCheckedFirst``
  /// is true.
  public var checks: [TokenCheck]
  /// Header, algorithms, sizes.
  public var signature: SignatureRules

  /// Whether a claim is required.
  public enum Presence: Sendable, Hashable {
    /// It is.
    case required
    /// It is not, for the stated reason. If present, it is checked.
    case optional(because: String)
  }

  /// A claim and its expected value.
  public struct ClaimExpectation: Sendable, Hashable {
    /// The claim's name.
    public var name: String
    /// The expected value. An array matches if one of its elements does.
    public var expectation: Expectation<JSONValue>

    /// A claim and its expected value.
    ///
    /// - Parameters:
    ///   - name: the claim's name.
    ///   - expectation: the expected value.
    public init(_ name: String, _ expectation: Expectation<JSONValue>) {
      self.name = name
      self.expectation = expectation
    }
  }

  /// The default of ``maximumLifetime``: 24 hours.
  public static let defaultMaximumLifetime = LifetimeRule.developerToken.longest
  /// The maximum of ``leeway``.
  public static let largestLeeway = Duration.seconds(300)
  /// The time that an issuer's clock may be ahead if ``leeway`` is nil.
  public static let defaultLeeway = Duration.seconds(10)

  /// The number of seconds that `nbf`, `iat` and `auth_time` may be in the future.
  package var startLeeway: Int64 { (leeway ?? Self.defaultLeeway).wholeSeconds }
  /// The number of seconds by which `exp` and the limits of ages are extended.
  package var endLeeway: Int64 { (leeway ?? .zero).wholeSeconds }

  /// A policy with defaults.
  ///
  /// - Parameters:
  ///   - issuer: `iss`.
  ///   - audience: `aud`.
  ///   - algorithms: the accepted algorithms. Default: those that the keys allow.
  public init(
    issuer: Expectation<String>, audience: Expectation<String>,
    algorithms: Set<Algorithm> = Set(Algorithm.allCases)
  ) {
    self.issuer = issuer
    self.audience = audience
    subject = .unchecked(because: "any subject")
    binding = .refused
    actors = .refused
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

  /// - Throws: `policyInvalid` for a policy that contradicts itself.
  func validate() throws(JOSEError) {
    if let leeway, !(.zero...Self.largestLeeway).contains(leeway) {
      let seconds = leeway < .zero ? leeway.wholeSeconds : leeway.secondsRoundedUp
      throw .policyInvalid(
        rule: "the leeway is \(seconds) s; 0 to \(Self.largestLeeway.wholeSeconds) s are allowed")
    }
    for (name, limit) in [
      ("lifetime", maximumLifetime), ("age", maximumAge),
      ("time since sign-in", maximumAuthenticationAge),
    ] {
      if let seconds = limit.longest, seconds <= 0 {
        throw .policyInvalid(rule: "the maximum \(name) is \(seconds) s and must be above 0")
      }
    }
    if case .optional = expiration, maximumLifetime.longest != nil {
      throw .policyInvalid(
        rule: "a policy that accepts tokens without \"exp\" cannot limit their lifetime")
    }
    for expectation in [issuer, audience, subject, signature.type] {
      if case .oneOf(let values) = expectation, values.isEmpty {
        throw .policyInvalid(rule: "an expectation has no values, so no token can be accepted")
      }
    }
    for (name, admission) in [("cnf", binding), ("act", actors)] where admission == .only([]) {
      throw .policyInvalid(
        rule: "the accepted values of \(name.quoted) are an empty list; refuse the claim instead")
    }
    for claim in claims where claim.expectation == .oneOf([]) {
      throw .policyInvalid(
        rule: "the expectation for the claim \(claim.name.quoted) has no values, so no token can be accepted")
    }
    guard signature.candidateLimit > 0 else {
      throw .policyInvalid(rule: "the candidate limit is 0, so no token can be accepted")
    }
    guard !signature.algorithms.isEmpty else {
      throw .policyInvalid(rule: "no algorithm is allowed, so no token can be accepted")
    }
  }
}

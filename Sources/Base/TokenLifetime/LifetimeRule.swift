/// How long something that grants access may live: the shortest, the longest and the default duration.
///
///     let lifetime = try LifetimeRule.developerToken.validate(requested: nil)   // 900 seconds
///
/// These numbers are written here alone, with their sources. All durations are whole seconds.
public struct LifetimeRule: Sendable, Hashable {
  /// A stable name for options and messages, `developer-token` for instance.
  public let name: String
  /// The shortest duration that may be requested.
  public let shortest: Duration
  /// The longest duration that may be requested, and that a token may have.
  public let longest: Duration
  /// The duration for a request without one; nil if a request must have one.
  public let standard: Duration?
  /// Where the numbers come from.
  public let source: String

  private init(_ name: String, _ range: ClosedRange<Duration>, standard: Duration?, source: String) {
    self.name = name
    shortest = range.lowerBound
    longest = range.upperBound
    self.standard = standard
    self.source = source
  }

  private static let second = Duration.seconds(1)
  private static let minute = Duration.seconds(60)
  private static let hour = Duration.seconds(3_600)
  private static let day = Duration.seconds(86_400)

  /// A token for developer-authenticated identities: 1 second to 24 hours, 15 minutes by default.
  public static let developerToken = LifetimeRule(
    "developer-token", second...day, standard: minute * 15,
    source: "Amazon Cognito, GetOpenIdTokenForDeveloperIdentity, TokenDuration")

  /// An access token of a user pool: 5 minutes to 24 hours, 1 hour by default.
  public static let userPoolAccessToken = LifetimeRule(
    "access-token", minute * 5...day, standard: hour,
    source: "Amazon Cognito user pools, AccessTokenValidity")

  /// An ID token of a user pool: 5 minutes to 24 hours, 1 hour by default.
  public static let userPoolIDToken = LifetimeRule(
    "id-token", minute * 5...day, standard: hour,
    source: "Amazon Cognito user pools, IdTokenValidity")

  /// A refresh token of a user pool: 60 minutes to 10 years, 30 days by default.
  public static let refreshToken = LifetimeRule(
    "refresh-token", hour...day * 3_650, standard: day * 30,
    source: "Amazon Cognito user pools, RefreshTokenValidity")

  /// Temporary credentials for a web identity: 15 minutes to 12 hours, 1 hour by default.
  public static let webIdentitySession = LifetimeRule(
    "web-identity-session", minute * 15...hour * 12, standard: hour,
    source: "AWS STS, AssumeRoleWithWebIdentity and AssumeRole, DurationSeconds")

  /// Temporary credentials of an access key: 15 minutes to 24 hours, 12 hours by default.
  public static let accessKeySession = LifetimeRule(
    "access-key-session", minute * 15...day, standard: hour * 12,
    source: "AWS STS, GetSessionToken, DurationSeconds, and at most a day")

  /// A presigned URL: 1 second to 7 days, without a default.
  public static let presignedURL = LifetimeRule(
    "presigned-url", second...day * 7, standard: nil,
    source: "AWS Signature Version 4, X-Amz-Expires")

  /// All rules.
  public static let all = [
    developerToken, userPoolAccessToken, userPoolIDToken, refreshToken, webIdentitySession, accessKeySession,
    presignedURL,
  ]

  /// Finds a rule by its name, compared by bytes.
  ///
  /// - Parameter name: the name.
  /// - Returns: the rule, or nil.
  public static func named(_ name: String) -> LifetimeRule? {
    all.first { $0.name.utf8.elementsEqual(name.utf8) }
  }
}

extension LifetimeRule {
  /// Checks a requested duration.
  ///
  /// - Parameter duration: what was requested; nil for the ``standard``.
  /// - Returns: the duration to use, in whole seconds.
  /// - Throws: `missing`, `zero`, `negative`, `fractional`, `tooShort`, `tooLong`.
  public func validate(requested duration: Duration?) throws(LifetimeError) -> Duration {
    guard let duration else {
      guard let standard else { throw .missing(rule: name) }
      return standard
    }
    guard duration != .zero else { throw .zero }
    guard duration > .zero else { throw .negative }
    guard duration.isWholeSeconds else { throw .fractional }
    guard duration >= shortest else {
      throw .tooShort(rule: name, requested: duration, shortest: shortest)
    }
    guard duration <= longest else { throw .tooLong(rule: name, requested: duration, longest: longest) }
    return duration
  }

  /// Checks how long a token lives. A life shorter than ``shortest`` is accepted.
  ///
  /// - Parameters:
  ///   - issuedAt: the token's `iat`.
  ///   - expiration: the token's `exp`.
  /// - Throws: `negative`, `tooLong`.
  public func validate(issuedAt: Timestamp, expiration: Timestamp) throws(LifetimeError) {
    let life = expiration - issuedAt
    guard life >= .zero else { throw .negative }
    guard life <= longest else { throw .tooLong(rule: name, requested: life, longest: longest) }
  }
}

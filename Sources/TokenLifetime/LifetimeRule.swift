/// How long something that grants access may live: the shortest, the longest, and what is meant where
/// nobody says.
///
///     let seconds = try LifetimeRule.developerToken.judge(requested: nil)   // 900
///
/// Every number stands here and nowhere else, with its source. All durations are whole seconds.
public struct LifetimeRule: Sendable, Hashable {
  /// A stable name for options and messages, `developer-token` for instance.
  public let name: String
  /// The shortest life that may be asked for.
  public let shortest: Int64
  /// The longest life that may be asked for, and that a token may have.
  public let longest: Int64
  /// What is meant where nothing is asked for; nil where something must be.
  public let standard: Int64?
  /// Where the numbers come from.
  public let source: String

  private init(_ name: String, _ range: ClosedRange<Int64>, standard: Int64?, source: String) {
    self.name = name
    shortest = range.lowerBound
    longest = range.upperBound
    self.standard = standard
    self.source = source
  }

  private static let minute: Int64 = 60
  private static let hour: Int64 = 3_600
  private static let day: Int64 = 86_400

  /// A token for developer-authenticated identities: 1 second to 24 hours, 15 minutes if nothing is said.
  public static let developerToken = LifetimeRule(
    "developer-token", 1...day, standard: 15 * minute,
    source: "Amazon Cognito, GetOpenIdTokenForDeveloperIdentity, TokenDuration")

  /// An access token of a user pool: 5 minutes to 24 hours, 1 hour if nothing is said.
  public static let userPoolAccessToken = LifetimeRule(
    "access-token", 5 * minute...day, standard: hour,
    source: "Amazon Cognito user pools, AccessTokenValidity")

  /// An ID token of a user pool: 5 minutes to 24 hours, 1 hour if nothing is said.
  public static let userPoolIDToken = LifetimeRule(
    "id-token", 5 * minute...day, standard: hour,
    source: "Amazon Cognito user pools, IdTokenValidity")

  /// A refresh token of a user pool: 60 minutes to 10 years, 30 days if nothing is said.
  public static let refreshToken = LifetimeRule(
    "refresh-token", hour...3_650 * day, standard: 30 * day,
    source: "Amazon Cognito user pools, RefreshTokenValidity")

  /// Temporary credentials for a web identity: 15 minutes to 12 hours, 1 hour if nothing is said.
  public static let webIdentitySession = LifetimeRule(
    "web-identity-session", 15 * minute...12 * hour, standard: hour,
    source: "AWS STS, AssumeRoleWithWebIdentity, DurationSeconds")

  /// A presigned URL: 1 second to 7 days. There is no standard: whoever hands one out says how long.
  public static let presignedURL = LifetimeRule(
    "presigned-url", 1...7 * day, standard: nil,
    source: "AWS Signature Version 4, X-Amz-Expires")

  /// All rules.
  public static let all = [
    developerToken, userPoolAccessToken, userPoolIDToken, refreshToken, webIdentitySession, presignedURL,
  ]

  /// The rule of this ``name``, or nil. Names are compared by their bytes.
  public static func named(_ name: String) -> LifetimeRule? {
    all.first { $0.name.utf8.elementsEqual(name.utf8) }
  }
}

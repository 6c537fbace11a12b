internal import TokenSecurityBase

/// Settings of a pool that AWS does not have. They are tags, which every tool for infrastructure can set.
extension UserPool {
  /// The prefix of the keys of such tags.
  static let ownTagPrefix = "identity-service:"
  /// The tag of ``unknownUsersMedium``.
  package static let unknownUsersMediumTag: ExactString = "identity-service:unknown-users-medium"

  /// The tag of ``endsSignInsWithPassword``.
  package static let endsSignInsTag: ExactString = "identity-service:password-ends-sessions"

  /// True where each new password, and each reset, ends the user's sign-ins. Amazon Cognito leaves them.
  package var endsSignInsWithPassword: Bool {
    tags[Self.endsSignInsTag]?.isIdentical(to: "true") ?? false
  }

  /// The medium that `ForgotPassword` shows for names that no user has: that of most users. Nil where the pool does not say.
  package var unknownUsersMedium: DeliveryMedium? {
    tags[Self.unknownUsersMediumTag].flatMap { DeliveryMedium(rawValue: ExactString($0)) }
  }
}

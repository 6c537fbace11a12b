internal import CognitoUserPoolOperations
internal import TokenSecurityEncodings

/// Settings of a pool that AWS does not have. They are tags, which every tool for infrastructure can set.
extension UserPool {
  /// What the keys of such tags begin with.
  private static let ownPrefix = "identity-service:"
  /// The tag of ``unknownUsersMedium``.
  package static let unknownUsersMediumTag: ExactString = "identity-service:unknown-users-medium"

  /// The medium to which `ForgotPassword` says to send the codes of names that no user has: that of most users of the pool. Nil
  /// where the pool does not say.
  package var unknownUsersMedium: DeliveryMedium? {
    tags[Self.unknownUsersMediumTag].flatMap { DeliveryMedium(rawValue: ExactString($0)) }
  }

  /// Checks tags that are set. A misspelt one would change nothing.
  ///
  /// - Throws: `parameterRefused`.
  package static func check(_ tags: [ExactString: String], _ member: String) throws(UserPoolError) {
    for (key, value) in tags where key.text.hasPrefix(ownPrefix) {
      guard key == unknownUsersMediumTag else {
        throw .parameterRefused(member, rule: "the only tag of \(ownPrefix) is \(unknownUsersMediumTag.text)")
      }
      guard DeliveryMedium(rawValue: ExactString(value)) != nil else {
        throw .parameterRefused(member, rule: "the tag \(unknownUsersMediumTag.text) must be EMAIL or SMS")
      }
    }
  }
}

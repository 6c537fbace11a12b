internal import Records

extension WriteTransaction<UserPoolError> {
  /// Makes a code, which replaces the earlier one of its purpose, and puts its message into the outbox.
  ///
  /// - Parameters:
  ///   - purpose: what the code is for.
  ///   - text: the message, with the life of the code.
  ///   - destination: the address, which alone the code verifies.
  ///   - user: the user.
  ///   - digits: the number of the code's digits. Default: 6.
  ///   - secrets: the service's keys.
  /// - Returns: the message's id.
  /// - Throws: `attemptLimitExceeded` as ``enqueue(_:code:to:of:for:secrets:)``; `storeFailed`, `cryptoFailed`.
  @discardableResult
  package func sendCode(
    _ purpose: CodePurpose, _ text: MessageText, to destination: Destination, of user: User,
    digits: Int = 6, secrets: UserPoolSecrets
  ) throws(UserPoolError) -> String {
    let code = try issueCode(
      purpose, for: user, destination: destination, digits: digits, lifetime: text.lifetime, secrets: secrets)
    // The codes of a sign-in replace none.
    let replaced: CodePurpose? = if case .factor = purpose { nil } else { purpose }
    return try enqueue(text, code: code, to: destination, of: user, for: replaced, secrets: secrets)
  }
}

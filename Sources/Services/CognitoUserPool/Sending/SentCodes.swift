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
  ///   - isSimulated: true for a user who does not exist: the message is not sent. Default: false.
  ///   - secrets: the service's keys.
  /// - Throws: `attemptLimitExceeded` as ``enqueue(_:code:to:of:for:isSimulated:secrets:)``; `storeFailed`,
  ///   `cryptoFailed`.
  package func sendCode(
    _ purpose: CodePurpose, _ text: MessageText, to destination: Destination, of user: User,
    digits: Int = 6, isSimulated: Bool = false, secrets: UserPoolSecrets
  ) throws(UserPoolError) {
    let code = try issueCode(
      purpose, for: user, destination: destination, digits: digits, lifetime: text.lifetime, secrets: secrets)
    // The codes of a sign-in replace none.
    let replaced: CodePurpose? = if case .factor = purpose { nil } else { purpose }
    try enqueue(
      text, code: code, to: destination, of: user, for: replaced, isSimulated: isSimulated, secrets: secrets)
  }
}

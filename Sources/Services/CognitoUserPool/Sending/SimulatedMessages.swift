internal import Records
internal import TokenSecurityBase

extension WriteTransaction<UserPoolError> {
  /// Does for a user who does not exist what is done for one who gets a code, so that the time does not show who
  /// exists: a code is stored that nobody gets to know, and a message waits in the outbox, where it is dropped.
  ///
  /// - Parameters:
  ///   - purpose: what the code would be for.
  ///   - user: a user of ``UserPoolSecrets/simulatedUser(named:in:)``.
  ///   - text: the message.
  ///   - attribute: what it would be sent to.
  ///   - digits: the number of the code's digits. Default: 6.
  ///   - secrets: the service's keys.
  /// - Throws: `attemptLimitExceeded` as for other users; `storeFailed`, `cryptoFailed`.
  package func simulateMessage(
    _ purpose: CodePurpose, for user: User, _ text: MessageText, to attribute: VerifiedAttribute,
    digits: Int = 6, secrets: UserPoolSecrets
  ) throws(UserPoolError) {
    var user = user
    // Not the typed address: its messages may be counted for users who have it.
    let destination = Destination(attribute, user.sub)
    user.attributes[ExactString(attribute.name)] = destination.address
    // A code for a sign-up goes to an address that is not verified.
    user.attributes[ExactString(attribute.flag)] = purpose == .signUp ? "false" : "true"
    try sendCode(
      purpose, text, to: destination, of: user, digits: digits, isSimulated: true, secrets: secrets)
  }
}

internal import TokenSecurityCrypto

/// Temporary passwords that the service makes.
package enum TemporaryPassword {
  /// The least number of characters.
  private static let least = 12

  /// Letters, digits, and symbols that have no meaning in HTML and in templates of messages.
  private static let alphabet = RandomText.lettersAndDigits + Array("!#$%*+-=?@_~".utf8)

  /// Makes a password that every policy of its length allows, with at least 70 random bits.
  ///
  /// - Parameter policy: the pool's policy.
  /// - Returns: the password.
  /// - Throws: `cryptoFailed`.
  package static func make(_ policy: PasswordPolicy) throws(UserPoolError) -> SecretBytes {
    let count = max(least, Int(clamping: policy.least))
    // With characters of all classes.
    let strict = PasswordPolicy()
    while true {
      let password = try RandomText.make(count, of: alphabet)
      if (try? strict.check(password)) != nil { return password }
    }
  }
}

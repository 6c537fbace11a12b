package import TokenSecurityCrypto

/// The rules for new passwords.
extension PasswordPolicy {
  /// Maximum number of characters in a password.
  package static let longestPassword = 256

  /// Checks a new password.
  ///
  /// Letters and digits are those of ASCII; the symbols are its punctuation. Other characters count for the
  /// length alone.
  ///
  /// - Parameter password: the password's UTF-8.
  /// - Throws: `passwordRefused` with the first rule that is broken.
  package func check(_ password: borrowing SecretBytes) throws(UserPoolError) {
    if let rule = password.withBytes({ brokenRule(by: $0) }) { throw .passwordRefused(rule: rule) }
  }

  /// Returns whether bytes can be a password at all: no white space, 1 to 256 characters.
  static func isPossible(_ password: borrowing Span<UInt8>) -> Bool {
    let contents = Contents(of: password)
    return !contents.hasSpace && (1...longestPassword).contains(contents.characters)
  }

  private func brokenRule(by password: borrowing Span<UInt8>) -> String? {
    let found = Contents(of: password)
    if Int64(found.characters) < least { return "Password not long enough" }
    if found.characters > Self.longestPassword { return "Password too long" }
    if found.hasSpace { return "Password must not have white space" }
    if needsUppercase, !found.hasUppercase { return "Password must have uppercase characters" }
    if needsLowercase, !found.hasLowercase { return "Password must have lowercase characters" }
    if needsDigit, !found.hasNumber { return "Password must have numeric characters" }
    if needsSymbol, !found.hasSymbol { return "Password must have symbol characters" }
    return nil
  }

  /// The composition of a password.
  private struct Contents {
    var characters = 0
    var hasSpace = false
    var hasUppercase = false
    var hasLowercase = false
    var hasNumber = false
    var hasSymbol = false

    init(of password: borrowing Span<UInt8>) {
      for index in password.indices { add(password[index]) }
    }

    private mutating func add(_ byte: UInt8) {
      // Bytes that continue a character of UTF-8 are not counted.
      if byte & 0xC0 != 0x80 { characters += 1 }
      switch byte {
      case 0x09...0x0D, 0x20: hasSpace = true
      case 0x30...0x39: hasNumber = true
      case 0x41...0x5A: hasUppercase = true
      case 0x61...0x7A: hasLowercase = true
      case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: hasSymbol = true
      default: break
      }
    }
  }
}

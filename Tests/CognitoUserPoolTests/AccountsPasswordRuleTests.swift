internal import CognitoUserPool
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The rules of new passwords.
@Suite struct AccountsPasswordRuleTests {
  private func rule(_ password: String, _ change: (inout PasswordPolicy) -> Void = { _ in })
    -> String?
  {
    var policy = PasswordPolicy()
    change(&policy)
    do throws(UserPoolError) {
      try policy.check(SecretBytes(password.utf8.span))
      return nil
    } catch {
      guard case .passwordRefused(let rule) = error else { return "another error" }
      return rule
    }
  }

  @Test(
    arguments: [
      ("Aa1!aaaa", nil), ("Aa1!aaa", "Password not long enough"),
      ("aa1!aaaa", "Password must have uppercase characters"),
      ("AA1!AAAA", "Password must have lowercase characters"),
      ("Aa!!aaaa", "Password must have numeric characters"),
      ("Aa1aaaaa", "Password must have symbol characters"),
      ("Aa1! aaaa", "Password must not have white space"),
      ("Aa1!\u{9}aaaa", "Password must not have white space"),
      // Letters beyond ASCII count for the length alone.
      ("Äa1!aaaa", "Password must have uppercase characters"),
      ("aA1!ääää", nil), ("Aa1!äää", "Password not long enough"),
      // The symbols are those of ASCII.
      ("Aa1aaaa€", "Password must have symbol characters"),
    ] as [(String, String?)])
  func defaultPolicy(_ password: String, _ expected: String?) {
    #expect(rule(password) == expected)
  }

  @Test func everySymbolOfASCIICounts() {
    for byte in (0x21...0x7E as ClosedRange<UInt8>) where !byte.isLetterOrDigit {
      #expect(rule("Aa1aaaa" + String(decoding: [byte], as: UTF8.self)) == nil)
    }
  }

  @Test func lengths() {
    let most = "Aa1!" + String(repeating: "x", count: 252)
    #expect(rule(most) == nil)
    #expect(rule(most + "x") == "Password too long")
    #expect(rule("Aa1!xx") { $0.least = 6 } == nil)
    #expect(rule("Aa1!x") { $0.least = 6 } == "Password not long enough")
  }

  @Test func classesThatAreOff() {
    let isAllowed = rule("aaaaaa") {
      $0.least = 6
      $0.needsUppercase = false
      $0.needsLowercase = false
      $0.needsDigit = false
      $0.needsSymbol = false
    }
    #expect(isAllowed == nil)
  }

  @Test func errorHasTheServicesWords() {
    let error = UserPoolError.passwordRefused(rule: "Password not long enough")
    #expect(error.publicMessage == "Password did not conform with policy: Password not long enough")
    #expect(error.type == "InvalidPasswordException")
  }
}

internal import CognitoUserPool
internal import Testing
internal import TokenSecurityBase

/// The forms of names and addresses.
@Suite struct AccountsNameRuleTests {
  private func name(
    _ name: String, _ change: (inout UserPool) -> Void = { _ in }
  ) throws(UserPoolError) -> UserNameRules.NewName {
    var pool = UserPool()
    change(&pool)
    return try UserNameRules(pool).checkedNew(name)
  }

  @Test(arguments: [
    "jane", "jane@example.com", "+12065550100", "Ünïcode", "a", "x.y-z_!", "ｊａｎｅ", "K",
  ])
  func namesOfAPoolWithoutAliases(_ text: String) throws {
    #expect(try name(text) == .name(text))
  }

  @Test(arguments: [
    "", " ", "ja ne", "jane\n", "a\u{0}b", String(repeating: "x", count: 129), "a\u{202E}b",
  ])
  func refusedNames(_ text: String) {
    #expect(throws: UserPoolError.self) { try name(text) }
  }

  @Test func lengthCountsCharacters() throws {
    let long = String(repeating: "ü", count: 128)
    #expect(try name(long) == .name(long))
  }

  @Test(arguments: ["ed9ab6aa-98b9-4a5b-a9a3-4d28cb7b3a4e", "ED9AB6AA-98B9-4A5B-A9A3-4D28CB7B3A4E"])
  func nameInTheFormOfASub(_ text: String) throws {
    #expect(try name(text) == .name(text))
    #expect(try name(text) { $0.aliasAttributes = [.email, .phoneNumber] } == .name(text))
    #expect(throws: UserPoolError.userNameRefused(rule: "Username should be an email.")) {
      try name(text) { $0.usernameAttributes = [.email] }
    }
  }

  @Test func nameInTheFormOfAnAlias() throws {
    let rule = "Username cannot be of email format, since user pool is configured for email alias."
    #expect(throws: UserPoolError.userNameRefused(rule: rule)) {
      try name("jane@example.com") { $0.aliasAttributes = [.email] }
    }
    #expect(throws: UserPoolError.self) {
      try name("+12065550100") { $0.aliasAttributes = [.phoneNumber] }
    }
    #expect(try name("+12065550100") { $0.aliasAttributes = [.email] } == .name("+12065550100"))
  }

  @Test func addressInPlaceOfAName() throws {
    let both: (inout UserPool) -> Void = { $0.usernameAttributes = [.phoneNumber, .email] }
    #expect(try name("jane@example.com", both) == .address(.email, "jane@example.com"))
    #expect(try name("+12065550100", both) == .address(.phoneNumber, "+12065550100"))
    #expect(
      throws: UserPoolError.userNameRefused(
        rule: "Username should be either an email or a phone number.")
    ) { try name("jane", both) }
    #expect(throws: UserPoolError.userNameRefused(rule: "Username should be an email.")) {
      try name("+12065550100") { $0.usernameAttributes = [.email] }
    }
  }

  @Test(
    arguments: [
      ("jane@example.com", true), ("jane+tag@example.com", true), ("j@e", true),
      ("a.b@x-y.example", true),
      ("", false), ("jane", false), ("@example.com", false), ("jane@", false), ("a@b@c", false),
      ("jane @example.com", false), ("jane@exam ple.com", false), (".jane@example.com", false),
      ("jane.@example.com", false), ("ja..ne@example.com", false), ("-jane@example.com", false),
      ("jane@-example.com", false), ("jane@example.com.", false), ("jane@example..com", false),
      ("jane\n@example.com", false), ("<jane@example.com>", false), ("jane,joe@example.com", false),
      ("\"jane\"@example.com", false), ("jäne@example.com", false), ("jane@exämple.com", false),
      ("\u{212A}ate@example.com", false), ("jane@example.com\u{0}", false),
      // Mail programs deliver to programs and files.
      ("|jane@example.com", false), ("/jane@example.com", false), ("ja|ne@example.com", true),
      ("ja/ne-@example.com", true),
    ] as [(String, Bool)])
  func emailForm(_ text: String, _ isEmail: Bool) {
    #expect(EmailAddress.isValid(text) == isEmail)
  }

  @Test func emailLengths() {
    let local = String(repeating: "a", count: 64)
    #expect(EmailAddress.isValid(local + "@example.com"))
    #expect(!EmailAddress.isValid(local + "a@example.com"))
    let domain = String(repeating: "b.", count: 94) + "b"
    #expect(EmailAddress.isValid(local + "@" + domain))
    #expect(!EmailAddress.isValid(local + "@c" + domain))
  }

  @Test(
    arguments: [
      ("+12065550100", true), ("+49", true), ("+123456789012345", true),
      ("+1234567890123456", false),
      // No country code begins with 0.
      ("+02065550100", false), ("+00", false),
      ("+1", false), ("12065550100", false), ("+1 206 555 0100", false), ("+1206555010a", false),
      ("+", false),
      ("", false), ("+１２３４５", false),
    ] as [(String, Bool)])
  func phoneForm(_ text: String, _ isPhone: Bool) {
    #expect(VerifiedAttribute.phoneNumber.isForm(of: text) == isPhone)
  }

  @Test(
    arguments: [
      (VerifiedAttribute.email, "test@test", "t***@t***"),
      (.email, "jane@example.com", "j***@e***"),
      (.phoneNumber, "+12345679934", "+*******9934"), (.phoneNumber, "+491234", "+***234"),
      (.phoneNumber, "+49", "+*9"),
    ] as [(VerifiedAttribute, String, String)])
  func masks(_ attribute: VerifiedAttribute, _ address: String, _ masked: String) {
    #expect(Destination(attribute, address).masked == masked)
  }
}

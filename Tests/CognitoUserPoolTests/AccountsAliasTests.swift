internal import CognitoUserPool
internal import Testing
internal import TokenSecurityBase

/// Who signs in with an address.
@Suite struct AccountsAliasTests {
  private func fixture(_ store: (any RecordStore)? = nil) async throws -> AccountsFixture {
    try await AccountsFixture(store) { pool, _ in
      pool.aliasAttributes = [.email, .preferredUsername]
      pool.isCaseSensitive = false
    }
  }

  @Test func unverifiedAddressIsNoAlias() async throws {
    let fixture = try await fixture()
    try await fixture.signUp("jane")
    #expect(try await fixture.user("jane@example.com") == nil)
    try await fixture.confirm("jane", fixture.code(for: "jane@example.com"))
    #expect(try await fixture.user("JANE@example.com")?.name == "jane")
  }

  @Test func unverifiedAddressTakesNothingOver() async throws {
    let fixture = try await fixture()
    try await fixture.addConfirmed("jane")
    // Eve signs up with Jane's address, in another case too.
    for (name, address) in [("eve", "jane@example.com"), ("mallory", "Jane@Example.com")] {
      try await fixture.signUp(name, [("email", address)])
      #expect(try await fixture.user(address)?.name == "jane")
    }
    // A code for the address goes to its owner.
    _ = try await fixture.forget("jane@example.com")
    let message = try await fixture.messages().filter { $0.kind == .forgotPassword }.only()
    #expect(message.userName == "jane")
    // Eve cannot confirm with a code that was not sent to her.
    await #expect(throws: UserPoolError.codeMismatch) { try await fixture.confirm("eve", "x") }
    #expect(try await fixture.user("jane")?.isVerified(.email) == true)
  }

  @Test func aliasIsTaken() async throws {
    let fixture = try await fixture()
    try await fixture.addConfirmed("jane")
    try await fixture.signUp("janet", later: .seconds(1))
    let code = try await fixture.code(for: "jane@example.com")
    await #expect(throws: UserPoolError.aliasExists(attribute: "email")) {
      try await fixture.confirm("janet", code)
    }
    let error = UserPoolError.aliasExists(attribute: "email")
    #expect(error.type == "AliasExistsException")
    #expect(try await fixture.user("janet")?.status == .unconfirmed)
    // The code was not used up. By force the first account loses alias and verification.
    try await fixture.confirm("janet", code, takesAliases: true)
    #expect(try await fixture.user("jane@example.com")?.name == "janet")
    let first = try #require(try await fixture.user("jane"))
    #expect(first.attribute("email") == "jane@example.com")
    #expect(!first.isVerified(.email))
  }

  @Test func addressesInPlaceOfNamesCannotBeTaken() async throws {
    let fixture = try await AccountsFixture { pool, _ in
      pool.usernameAttributes = [.email, .phoneNumber]
      pool.hooks = RecordingHooks.arns(.preSignUp)
    }
    fixture.hooks.on(.preSignUp) { _ throws(HookError) in ["autoVerifyEmail": true] }
    try await fixture.signUp("jane@example.com", [])
    await #expect(throws: UserPoolError.addressTaken(attribute: "email")) {
      try await fixture.signUp("+12065550100", [("email", "jane@example.com")])
    }
  }

  @Test func hookThatVerifiesTakesTheAlias() async throws {
    let fixture = try await AccountsFixture { pool, _ in
      pool.aliasAttributes = [.email]
      pool.hooks = RecordingHooks.arns(.preSignUp)
    }
    try await fixture.addConfirmed("jane")
    fixture.hooks.on(.preSignUp) { _ throws(HookError) in
      ["autoConfirmUser": true, "autoVerifyEmail": true]
    }
    try await fixture.signUp("janet")
    #expect(try await fixture.user("jane@example.com")?.name == "janet")
    #expect(try await fixture.user("jane")?.isVerified(.email) == false)
  }

  @Test func preferredName() async throws {
    let fixture = try await fixture()
    let attributes: AttributeRules.Given = [
      ("email", "jane@example.com"), ("preferred_username", "JJ"),
    ]
    try await fixture.signUp("jane", attributes)
    // Not before the user is confirmed.
    #expect(try await fixture.user("jj") == nil)
    try await fixture.confirm("jane", fixture.code(for: "jane@example.com"))
    #expect(try await fixture.user("jj")?.name == "jane")
    // A new user cannot have it for a name, nor a name of a user for a preferred one.
    await #expect(throws: UserPoolError.userExists) { try await fixture.signUp("Jj", []) }
    try await fixture.signUp("eve", [("email", "eve@example.com"), ("preferred_username", "jane")])
    let code = try await fixture.code(for: "eve@example.com")
    await #expect(throws: UserPoolError.aliasExists(attribute: "preferred_username")) {
      try await fixture.confirm("eve", code, takesAliases: true)
    }
    #expect(try await fixture.user("jane")?.name == "jane")
  }

  @Test func manyUsersConfirmOneAddress() async throws {
    let fixture = try await fixture()
    let names = (0..<6).map { "jane\($0)" }
    var codes: [(name: String, code: String)] = []
    for name in names {
      try await fixture.signUp(name)
      let message = try await fixture.messages().filter { $0.userName == name }.only()
      codes.append((name, message.code))
    }
    let all = codes
    let results = await withTaskGroup(of: UserPoolError?.self) { group in
      for (name, code) in all {
        group.addTask {
          do throws(UserPoolError) {
            try await fixture.confirm(name, code)
            return nil
          } catch { return error }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.filter { $0 == nil }.count == 1)
    #expect(results.filter { $0 == .aliasExists(attribute: "email") }.count == 5)
    let owner = try #require(try await fixture.user("jane@example.com"))
    var verified = 0
    for name in names where try await fixture.user(name)?.isVerified(.email) == true {
      verified += 1
    }
    #expect(verified == 1)
    #expect(owner.isVerified(.email))
  }
}

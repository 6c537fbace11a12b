@testable internal import CognitoUserPool
internal import ServiceOperations
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Users that administrators make.
@Suite struct AdminUsersCreationTests {
  private func creation(
    _ place: AdminUsersPlace, _ name: String, _ change: (inout UserCreation) -> Void = { _ in }
  ) -> UserCreation {
    var request = UserCreation()
    request.poolID = place.pool.id
    request.name = name
    change(&request)
    return request
  }

  @Test func aUserMustReplaceTheTemporaryPassword() async throws {
    let place = try await AdminUsersPlace()
    let user = try await place.add("jane", [("email", "jane@example.com"), ("email_verified", "True")])
    #expect(user.status == .forceChangePassword && user.isEnabled && user.name == "jane")
    #expect(UUIDText.isUUID(user.sub))
    #expect(user.attributes == ["email": "jane@example.com", "email_verified": "true"])
    #expect(user.temporaryUntil == AdminUsersPlace.start + .seconds(7 * 86_400))
    #expect(try await place.user("jane").sub == user.sub)
    #expect(try await place.user(user.sub).name == "jane")
    #expect(try await place.isPassword("Temporary-1", of: "jane"))
    #expect(try await !place.isPassword("Temporary-2", of: "jane"))
    #expect(try await place.messages().isEmpty)
  }

  @Test func theServiceMakesPasswordsThatThePolicyAllows() async throws {
    for least: Int64 in [6, 8, 12, 13, 99] {
      var policy = PasswordPolicy()
      policy.least = least
      var seen: Set<ExactString> = []
      for _ in 0..<20 {
        let password = try TemporaryPassword.make(policy)
        #expect(Int64(password.count) == max(12, least))
        try policy.check(password)
        seen.insert(
          ExactString(password.withBytes { String(decoding: [UInt8](unwipedCopy: $0), as: UTF8.self) }))
      }
      #expect(seen.count == 20)
    }
  }

  @Test func theInvitationHasNameAndPassword() async throws {
    let place = try await AdminUsersPlace {
      $0.texts.inviteSMS = "{username} has {####}"
      $0.texts.inviteEmail = "Mail: {username}, {####}"
      $0.texts.inviteEmailSubject = "Welcome"
    }
    let request = creation(place, "jane") {
      $0.attributes = [("email", "jane@example.com"), ("phone_number", "+12065550100")]
    }
    _ = try await place.service.users.createUser(request, CallContext(at: AdminUsersPlace.start))
    // By SMS, unless the request names media.
    let message = try await place.messages().only()
    #expect(message.medium == .sms && message.destination == "+12065550100")
    #expect(message.kind == .adminCreateUser)
    #expect(message.body == "jane has \(message.code)")
    #expect(message.expires == AdminUsersPlace.start + .seconds(7 * 86_400))
    #expect(try await place.isPassword(message.code, of: "jane"))
  }

  @Test func mediaOfARequest() async throws {
    let place = try await AdminUsersPlace()
    let both = creation(place, "jane") {
      $0.attributes = [("email", "jane@example.com"), ("phone_number", "+12065550100")]
      $0.media = [.email, .sms, .email]
    }
    _ = try await place.service.users.createUser(both, CallContext(at: AdminUsersPlace.start))
    let messages = try await place.messages()
    #expect(Set(messages.map(\.destination).map { ExactString($0) }) == ["jane@example.com", "+12065550100"])
    #expect(messages.count == 2 && messages[0].code == messages[1].code)
    // No address for the medium that the request does not name: no message, and a warning.
    let context = CallContext(at: AdminUsersPlace.start)
    _ = try await place.service.users.createUser(creation(place, "joe"), context)
    #expect(try await place.messages().count == 2)
    #expect(context.subject.warning?.hasPrefix("no invitation was sent: ") == true)
    let suppressed = CallContext(at: .now)
    _ = try await place.service.users.createUser(
      creation(place, "jim") { $0.invitation = .suppressed }, suppressed)
    #expect(suppressed.subject.warning == nil)
  }

  @Test func anInvitationWithoutAnAddressIsRefused() async throws {
    let place = try await AdminUsersPlace()
    let noEmail = UserPoolError.addressUnusable(
      rule: "No email provided but desired delivery medium was Email")
    let noPhone = UserPoolError.addressUnusable(
      rule: "No phone number provided but desired delivery medium was SMS")
    await #expect(throws: noEmail) {
      try await place.service.users.createUser(
        creation(place, "jane") {
          $0.attributes = [("phone_number", "+12065550100")]
          $0.media = [.sms, .email]
        }, CallContext(at: .now))
    }
    await #expect(throws: noPhone) {
      try await place.service.users.createUser(
        creation(place, "jane") { $0.media = [.sms] }, CallContext(at: .now))
    }
    await #expect(throws: UserPoolError.userUnknown) { try await place.user("jane") }
    // One that is sent again replaces the password, which no message would have.
    try await place.add("jane", [("email", "jane@example.com")])
    await #expect(throws: noPhone) {
      try await place.service.users.createUser(
        creation(place, "jane") { $0.invitation = .sentAgain }, CallContext(at: .now))
    }
    #expect(try await place.isPassword("Temporary-1", of: "jane"))
    // Where no password is made, there is no invitation.
    let without = try await AdminUsersPlace { $0.firstFactors = [.password, .emailCode] }
    let user = try await without.service.users.createUser(
      creation(without, "joe") { $0.media = [.email] }, CallContext(at: .now))
    #expect(user.status == .confirmed)
  }

  /// The password in an earlier invitation is not valid any more, whatever its medium.
  @Test func anInvitationWithdrawsThoseOfOtherMedia() async throws {
    let place = try await AdminUsersPlace()
    func invite(_ invitation: UserCreation.Invitation, _ media: [DeliveryMedium]) async throws {
      let request = creation(place, "jane") {
        $0.attributes = [("email", "jane@example.com"), ("phone_number", "+12065550100")]
        $0.invitation = invitation
        $0.media = media
      }
      _ = try await place.service.users.createUser(request, CallContext(at: AdminUsersPlace.start))
    }
    try await invite(.sent, [.sms])
    let first = try await place.messages().only().code
    try await invite(.sentAgain, [.email])
    let second = try await place.messages().only()
    #expect(second.medium == .email)
    #expect(try await !place.isPassword(first, of: "jane"))
    #expect(try await place.isPassword(second.code, of: "jane"))
    try await invite(.sentAgain, [.email, .sms])
    #expect(try await place.messages().count == 2)
    try await place.service.users.setPassword(
      SecretText("Permanent-1"), of: "jane", in: place.pool.id, isPermanent: false,
      CallContext(at: AdminUsersPlace.start))
    #expect(try await place.messages().isEmpty)
  }

  @Test func anInvitationIsSentAgainWithANewPassword() async throws {
    let place = try await AdminUsersPlace()
    try await place.add("jane", [("phone_number", "+12065550100")])
    let later = AdminUsersPlace.start + .seconds(86_400)
    let again = creation(place, "jane") { $0.invitation = .sentAgain }
    let user = try await place.service.users.createUser(again, CallContext(at: later))
    #expect(user.temporaryUntil == later + .seconds(7 * 86_400))
    let message = try await place.messages().only()
    #expect(try await place.isPassword(message.code, of: "jane"))
    #expect(try await !place.isPassword("Temporary-1", of: "jane"))
    // An invitation that still waits is withdrawn: its password is no longer valid.
    _ = try await place.service.users.createUser(again, CallContext(at: later))
    let waiting = try await place.messages().only()
    #expect(try await place.isPassword(waiting.code, of: "jane"))
    await #expect(throws: UserPoolError.userUnknown) {
      try await place.service.users.createUser(
        creation(place, "joe") { $0.invitation = .sentAgain }, CallContext(at: .now))
    }
    try await place.service.users.setPassword(
      SecretText("Permanent-1"), of: "jane", in: place.pool.id, isPermanent: true, CallContext(at: .now))
    await #expect(throws: UserPoolError.userStateNotSupported(status: "CONFIRMED")) {
      try await place.service.users.createUser(again, CallContext(at: .now))
    }
  }

  @Test func usersWithoutPasswordsAreConfirmed() async throws {
    let place = try await AdminUsersPlace { $0.firstFactors = [.password, .emailCode] }
    let user = try await place.add("jane", [("email", "jane@example.com")], password: nil)
    #expect(user.status == .confirmed && user.password == nil && user.temporaryUntil == nil)
    #expect(try await place.add("joe").status == .forceChangePassword)
    // Passkeys are not built.
    let other = try await AdminUsersPlace { $0.firstFactors = [.password, .webAuthn] }
    #expect(try await other.add("jane", password: nil).status == .forceChangePassword)
  }

  /// A temporary password is no part of the history, however it is replaced.
  @Test func temporaryPasswordsAreNotInTheHistory() async throws {
    let place = try await AdminUsersPlace { $0.passwordPolicy.history = 3 }
    func set(_ password: String, isPermanent: Bool) async throws(UserPoolError) {
      try await place.service.users.setPassword(
        SecretText(password), of: "jane", in: place.pool.id, isPermanent: isPermanent, CallContext(at: .now))
    }
    try await place.add("jane", [("phone_number", "+12065550100")])
    _ = try await place.service.users.createUser(
      creation(place, "jane") { $0.invitation = .sentAgain }, CallContext(at: .now))
    #expect(try await place.user("jane").earlierPasswords.isEmpty)
    try await set("Temporary-2", isPermanent: false)
    try await set("Permanent-1", isPermanent: true)
    #expect(try await place.user("jane").earlierPasswords.isEmpty)
    // The one that the user had is.
    try await set("Temporary-2", isPermanent: false)
    #expect(try await place.user("jane").earlierPasswords.count == 1)
    await #expect(throws: UserPoolError.passwordUsedBefore) {
      try await set("Permanent-1", isPermanent: true)
    }
    try await set("Temporary-2", isPermanent: true)
  }

  @Test func refusals() async throws {
    let place = try await AdminUsersPlace { $0.aliasAttributes = [.email] }
    let jane = try await place.add("jane")
    await #expect(throws: UserPoolError.userExists) { try await place.add("jane") }
    await #expect(throws: UserPoolError.passwordRefused(rule: "Password not long enough")) {
      try await place.add("joe", password: "Short-1")
    }
    await #expect(throws: UserPoolError.addressMalformed(attribute: "email")) {
      try await place.add("joe", [("email", "x")])
    }
    await #expect {
      try await place.add("joe@example.com")
    } throws: {
      ($0 as? UserPoolError)?.code == .userNameRefused
    }
    await #expect {
      try await place.add(jane.sub)
    } throws: {
      ($0 as? UserPoolError)?.code == .userNameRefused
    }
    await #expect(throws: UserPoolError.poolUnknown("us-east-1_000000000")) {
      try await place.service.users.createUser(
        creation(place, "joe") { $0.poolID = "us-east-1_000000000" }, CallContext(at: .now))
    }
    await #expect(throws: UserPoolError.userUnknown) { try await place.user("joe") }
  }

  @Test func anAliasHasOneOwner() async throws {
    let place = try await AdminUsersPlace { $0.aliasAttributes = [.email] }
    let verified = [("email", "jane@example.com"), ("email_verified", "true")]
    try await place.add("jane", verified.map { (name: $0.0, value: $0.1) })
    // An address that is not verified is no alias.
    try await place.add("joe", [("email", "jane@example.com")])
    #expect(try await place.user("jane@example.com").name == "jane")
    await #expect(throws: UserPoolError.aliasExists(attribute: "email")) {
      try await place.add("jim", verified.map { (name: $0.0, value: $0.1) })
    }
    let jim = try await place.add("jim", verified.map { (name: $0.0, value: $0.1) }, forcing: true)
    #expect(try await place.user("jane@example.com").sub == jim.sub)
    #expect(try await place.user("jane").attribute("email_verified") == "false")
  }

  @Test func anAddressInPlaceOfTheName() async throws {
    let place = try await AdminUsersPlace {
      $0.usernameAttributes = [.email, .phoneNumber]
      $0.isCaseSensitive = false
    }
    let user = try await place.add("Jane@Example.com")
    #expect(user.name == user.sub && user.attribute("email") == "Jane@Example.com")
    #expect(try await place.user("jane@example.COM").sub == user.sub)
    await #expect(throws: UserPoolError.addressTaken(attribute: "email")) {
      try await place.add("jane@example.com")
    }
    await #expect(throws: UserPoolError.addressTaken(attribute: "email")) {
      try await place.add("jane@example.com", forcing: true)
    }
    await #expect(
      throws: UserPoolError.userNameRefused(rule: "Username should be either an email or a phone number.")
    ) { try await place.add("jane") }
  }

  @Test func theHookRefusesAndVerifies() async throws {
    let place = try await AdminUsersPlace { $0.hooks["PreSignUp"] = "arn:aws:lambda:us-east-1:1:function:x" }
    place.hooks.on(.preSignUp) { _ throws(HookError) in ["autoVerifyEmail": true, "autoConfirmUser": true] }
    let request = creation(place, "jane") {
      $0.attributes = [("email", "jane@example.com")]
      $0.validationData = ["team": "a"]
      $0.clientMetadata = ["from": "test"]
    }
    let user = try await place.service.users.createUser(request, CallContext(at: AdminUsersPlace.start))
    // Administrators' users get no confirmation from the hook: they replace their password.
    #expect(user.status == .forceChangePassword && user.attribute("email_verified") == "true")
    #expect(place.hooks.sources == ["PreSignUp_AdminCreateUser"])
    let event = try #require(place.hooks.events(.preSignUp).first?["request"]?.object)
    #expect(event["userAttributes"]?.object?["email"]?.string == "jane@example.com")
    #expect(event["validationData"]?.object?["team"]?.string == "a")
    #expect(event["clientMetadata"]?.object?["from"]?.string == "test")
    place.hooks.on(.preSignUp) { _ throws(HookError) in throw .refused("no") }
    await #expect(throws: UserPoolError.hookRefused(trigger: "PreSignUp", text: "no")) {
      try await place.add("joe")
    }
    await #expect(throws: UserPoolError.userUnknown) { try await place.user("joe") }
  }
}

internal import CognitoUserPool
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// Devices: given at sign-in, confirmed, remembered, forgotten.
@Suite struct DeviceTests {
  static func pool(
    onPromptOnly: Bool = false, challengesNew: Bool = false, _ settings: JSONObject = [:],
    on kind: StoreKind = .memory
  ) async throws -> TestPool {
    var settings = settings
    settings["DeviceConfiguration"] = [
      "ChallengeRequiredOnNewDevice": .bool(challengesNew),
      "DeviceOnlyRememberedOnUserPrompt": .bool(onPromptOnly),
    ]
    let pool = try await TestPool(settings, on: kind)
    try await pool.addUser()
    return pool
  }

  private func attributes(_ device: JSONObject?) -> [String: String] {
    var attributes: [String: String] = [:]
    for attribute in device?["DeviceAttributes"]?.array ?? [] {
      guard let name = attribute.object?["Name"]?.string else { continue }
      attributes[name] = attribute.object?["Value"]?.string
    }
    return attributes
  }

  @Test func poolsWithoutTrackingGiveNone() async throws {
    let pool = try await TestPool()
    try await pool.addUser()
    let tokens = try await pool.signIn()
    #expect(tokens.deviceKey == nil)
    let device = try TestDevice(groupKey: "-abc", key: "us-east-1_0000")
    #expect(await errorCode { try await pool.confirm(device, tokens) } == "devices_not_tracked")
  }

  @Test func confirmedDeviceIsShownWithItsAttributes() async throws {
    let pool = try await Self.pool()
    let tokens = try await pool.signIn()
    let key = try #require(tokens.deviceKey)
    #expect(key.hasPrefix("us-east-1_"))
    #expect(UUIDText.isUUID(key.dropFirst("us-east-1_".count)))
    let access = JSONValue.string(tokens.access)
    let name: JSONObject = ["AccessToken": access, "DeviceKey": .string(key)]
    // Nothing is remembered before the confirmation.
    #expect(await refusal { try await pool.call("GetDevice", name) } == Self.unknown)
    _ = try await pool.confirmDevice(tokens, name: "Jane's phone")
    let device = try await pool.call("GetDevice", name)["Device"]?.object
    #expect(device?["DeviceKey"]?.string == key)
    #expect(device?["DeviceCreateDate"]?.number != nil)
    #expect(
      attributes(device) == [
        "device_status": "valid", "device_name": "Jane's phone", "last_ip_used": TestPool.address,
        "dev:device_remembered_status": "remembered", "dev:device_sdk": "aws-sdk",
        "dev:device_owner": "jane.\(pool.id)",
        "dev:device_arn":
          "arn:aws:cognito-idp:us-east-1:123456789012:owner/jane.\(pool.id)/device/\(key)",
      ])
    let administrators = try await pool.admin(
      "AdminGetDevice", ["Username": .string(TestPool.user), "DeviceKey": .string(key)])
    #expect(administrators["Device"]?.object == device)
  }

  static let unknown = "ResourceNotFoundException: Device does not exist."

  @Test func userIsAskedWhereThePoolSaysSo() async throws {
    let pool = try await Self.pool(onPromptOnly: true)
    let tokens = try await pool.signIn()
    let device = try TestDevice(tokens)
    let confirmed = try await pool.confirm(device, tokens)
    #expect(confirmed["UserConfirmationNecessary"]?.bool == true)
    #expect(try await pool.isRemembered(device) == false)
    let members: JSONObject = [
      "AccessToken": .string(tokens.access), "DeviceKey": .string(device.key),
      "DeviceRememberedStatus": "remembered",
    ]
    try await pool.call("UpdateDeviceStatus", members)
    #expect(try await pool.isRemembered(device) == true)
    try await pool.admin(
      "AdminUpdateDeviceStatus",
      [
        "Username": .string(TestPool.user), "DeviceKey": .string(device.key),
        "DeviceRememberedStatus": "not_remembered",
      ])
    #expect(try await pool.isRemembered(device) == false)
  }

  @Test func deviceIsConfirmedOnceAndByItsUserOnly() async throws {
    let pool = try await Self.pool()
    try await pool.addUser("john")
    let (jane, john) = (try await pool.signIn(), try await pool.signIn("john"))
    let device = try TestDevice(jane)
    #expect(
      await refusal { try await pool.confirm(device, john) }
        == "InvalidParameterException: Invalid device key given.")
    let confirmed = try await pool.confirm(device, jane)
    #expect(confirmed["UserConfirmationNecessary"]?.bool == false)
    #expect(await errorCode { try await pool.confirm(device, jane) } == "device_exists")
    // Another access token of the same user serves.
    let again = try await pool.signIn()
    let third = try await pool.signIn()
    try await pool.confirm(TestDevice(again), third)
  }

  @Test func confirmationHasAnEnd() async throws {
    let pool = try await Self.pool()
    let first = try await pool.signIn()
    pool.clock.advance(by: .seconds(86_400))
    let later = try await pool.signIn()
    #expect(await errorCode { try await pool.confirm(TestDevice(first), later) } == "device_key_invalid")
    try await pool.confirm(TestDevice(later), later)
  }

  @Test(arguments: [
    // A negative number, zero, no number, one above the prime, not base64.
    "gAA=", "AA==", "", String(repeating: "f/8P", count: 129), "no base64",
  ])
  func verifiersOfAnotherForm(_ verifier: String) async throws {
    let pool = try await Self.pool()
    let tokens = try await pool.signIn()
    let device = try TestDevice(tokens)
    let members: JSONObject = [
      "AccessToken": .string(tokens.access), "DeviceKey": .string(device.key),
      "DeviceSecretVerifierConfig": ["Salt": .string(device.salt), "PasswordVerifier": .string(verifier)],
    ]
    #expect(
      await errorCode { try await pool.call("ConfirmDevice", members) } == "user_pool_parameter_refused")
    try await pool.confirm(device, tokens)
  }

  @Test func verifierIsRequired() async throws {
    let pool = try await Self.pool()
    let tokens = try await pool.signIn()
    let members: JSONObject = [
      "AccessToken": .string(tokens.access), "DeviceKey": .string(try #require(tokens.deviceKey)),
    ]
    #expect(
      await refusal { try await pool.call("ConfirmDevice", members) }
        == "InvalidParameterException: Missing required parameter DeviceSecretVerifierConfig")
  }

  @Test func listsHavePages() async throws {
    let pool = try await Self.pool()
    var keys: [String] = []
    var tokens = try await pool.signIn()
    for _ in 0..<5 {
      keys.append(try await pool.confirmDevice(tokens).key)
      tokens = try await pool.signIn()
    }
    var listed: [String] = []
    var members: JSONObject = ["AccessToken": .string(tokens.access), "Limit": 2]
    var sizes: [Int] = []
    repeat {
      let page = try await pool.call("ListDevices", members)
      let found = (page["Devices"]?.array ?? []).compactMap { $0.object?["DeviceKey"]?.string }
      sizes.append(found.count)
      listed += found
      members["PaginationToken"] = page["PaginationToken"]
    } while members["PaginationToken"] != nil && sizes.count < 10
    #expect(sizes == [2, 2, 1])
    #expect(listed.sorted() == keys.sorted())
    let all = try await pool.admin("AdminListDevices", ["Username": .string(TestPool.user)])
    #expect(all["Devices"]?.array?.count == 5)
    #expect(all["PaginationToken"] == nil)
    members["PaginationToken"] = "bm8gdG9rZW4"
    #expect(await errorCode { try await pool.call("ListDevices", members) } == "page_token_invalid")
  }

  @Test func pagesBelongToTheUser() async throws {
    let pool = try await Self.pool()
    try await pool.addUser("john")
    var tokens: [String] = []
    for name in [TestPool.user, "john"] {
      _ = try await pool.confirmDevice(pool.signIn(name))
      _ = try await pool.confirmDevice(pool.signIn(name))
      let page = try await pool.admin("AdminListDevices", ["Username": .string(name), "Limit": 1])
      tokens.append(try #require(page["PaginationToken"]?.string))
    }
    for (name, refused) in [(TestPool.user, ""), ("john", "page_token_invalid")] {
      let members: JSONObject = ["Username": .string(name), "PaginationToken": .string(tokens[0])]
      #expect(await errorCode { try await pool.admin("AdminListDevices", members) } == refused)
    }
  }

  @Test func forgottenDeviceIsUnknown() async throws {
    let pool = try await Self.pool()
    let tokens = try await pool.signIn()
    let first = try await pool.confirmDevice(tokens)
    let second = try await pool.confirmDevice(pool.signIn())
    let access = JSONValue.string(tokens.access)
    let members: JSONObject = ["AccessToken": access, "DeviceKey": .string(first.key)]
    try await pool.call("ForgetDevice", members)
    for operation in ["GetDevice", "ForgetDevice", "UpdateDeviceStatus"] {
      #expect(await refusal { try await pool.call(operation, members) } == Self.unknown)
    }
    let named: JSONObject = ["Username": .string(TestPool.user), "DeviceKey": .string(second.key)]
    try await pool.admin("AdminForgetDevice", named)
    for operation in ["AdminGetDevice", "AdminForgetDevice", "AdminUpdateDeviceStatus"] {
      #expect(await refusal { try await pool.admin(operation, named) } == Self.unknown)
    }
    let missing: JSONObject = ["DeviceKey": .string(first.key)]
    #expect(await errorCode { try await pool.call("GetDevice", missing) } == "member_missing")
  }

  @Test func usersHaveAtMostAHundredDevices() async throws {
    let pool = try await Self.pool()
    let tokens = try await pool.signIn()
    let kept = try await pool.confirmDevice(tokens)
    let (user, id) = (try await pool.storedUser(), pool.id)
    try await pool.store.write(at: pool.clock.time) { rows throws(UserPoolError) in
      let pool = try rows.existingPool(id)
      for _ in 0..<150 { _ = try rows.addDevice(for: user, in: pool, address: nil) }
    }
    let count = try await pool.store.read(at: pool.clock.time) { rows throws(UserPoolError) in
      try rows.count(UserPoolTables.devices, limit: 1_000)
    }
    #expect(count == 100)
    // Those that were never confirmed go first.
    #expect(try await pool.isRemembered(kept) == true)
  }

  @Test func deletedUserHasNoDevices() async throws {
    let pool = try await Self.pool()
    _ = try await pool.confirmDevice(pool.signIn())
    try await pool.admin("AdminDeleteUser", ["Username": .string(TestPool.user)])
    let count = try await pool.store.read(at: pool.clock.time) { rows throws(UserPoolError) in
      try rows.count(UserPoolTables.devices, limit: 10)
    }
    #expect(count == 0)
  }
}

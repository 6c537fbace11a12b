internal import CognitoUserPool
internal import SecureRemotePassword
internal import Testing
internal import TokenSecurityBase

/// Addresses to which no message can be sent are refused wherever one is set.
@Suite struct UnusableAddressTests {
  static let addresses = ["|x@example.com", "/x@example.com", "-x@example.com"]

  private static func attributes(_ address: String) -> JSONValue {
    [["Name": "email", "Value": .string(address)]]
  }

  @Test(arguments: addresses) func atSignUp(_ address: String) async throws {
    let pool = try await TestPool(["AutoVerifiedAttributes": ["email"]])
    let members: JSONObject = [
      "ClientId": .string(pool.client.id), "Username": "jane", "Password": .string(TestPool.password),
      "UserAttributes": Self.attributes(address),
    ]
    #expect(await errorCode { try await pool.call("SignUp", members) } == "address_malformed")
  }

  @Test(arguments: addresses) func asName(_ address: String) async throws {
    let pool = try await TestPool(["UsernameAttributes": ["email"], "AutoVerifiedAttributes": ["email"]])
    let members: JSONObject = [
      "ClientId": .string(pool.client.id), "Username": .string(address),
      "Password": .string(TestPool.password),
    ]
    #expect(await errorCode { try await pool.call("SignUp", members) } == "user_name_refused")
    #expect(
      await errorCode { try await pool.admin("AdminCreateUser", ["Username": .string(address)]) }
        == "user_name_refused")
  }

  @Test(arguments: addresses) func byAdministrators(_ address: String) async throws {
    let pool = try await TestPool()
    let new: JSONObject = ["Username": "joe", "UserAttributes": Self.attributes(address)]
    #expect(await errorCode { try await pool.admin("AdminCreateUser", new) } == "address_malformed")
    try await pool.addUser()
    let change: JSONObject = [
      "Username": .string(TestPool.user), "UserAttributes": Self.attributes(address),
    ]
    #expect(
      await errorCode { try await pool.admin("AdminUpdateUserAttributes", change) } == "address_malformed")
  }

  @Test(arguments: addresses) func byTheUser(_ address: String) async throws {
    let pool = try await TestPool()
    try await pool.addUser()
    let tokens = try await pool.signIn()
    let change: JSONObject = [
      "AccessToken": .string(tokens.access), "UserAttributes": Self.attributes(address),
    ]
    #expect(await errorCode { try await pool.call("UpdateUserAttributes", change) } == "address_malformed")
  }
}

internal import CognitoUserPool
internal import OneTimeCodes
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// A user's authenticator app.
struct TestSoftwareToken: Sendable {
  private let totp: TOTP

  /// Reads the response to AssociateSoftwareToken.
  init(_ made: JSONObject) throws {
    let secret = try #require(made["SecretCode"]?.string)
    totp = try TOTP(secret: OTPSecret(base32: SecretBytes(secret.utf8.span)))
  }

  func code(at time: Timestamp) throws -> String { try totp.code(at: time) }
}

extension TestPool {
  /// AssociateSoftwareToken.
  func associate(_ tokens: SignInTokens) async throws -> TestSoftwareToken {
    try TestSoftwareToken(
      await call("AssociateSoftwareToken", ["AccessToken": .string(tokens.access)]))
  }

  /// VerifySoftwareToken.
  func verify(_ code: String, _ tokens: SignInTokens, name: String? = nil) async throws {
    var members: JSONObject = ["AccessToken": .string(tokens.access), "UserCode": .string(code)]
    members["FriendlyDeviceName"] = name.map(JSONValue.string)
    let verified = try await call("VerifySoftwareToken", members)
    #expect(verified["Status"]?.string == "SUCCESS")
  }

  /// Sets a software token up. Its code of the present time is used by that.
  @discardableResult
  func addSoftwareToken(_ tokens: SignInTokens, name: String? = nil) async throws -> TestSoftwareToken {
    let token = try await associate(tokens)
    try await verify(token.code(at: clock.time), tokens, name: name)
    return token
  }

  /// Enables and prefers a second factor, by its member of SetUserMFAPreference.
  func prefer(_ member: String, _ tokens: SignInTokens) async throws {
    var members: JSONObject = ["AccessToken": .string(tokens.access)]
    members[member] = ["Enabled": true, "PreferredMfa": true]
    try await call("SetUserMFAPreference", members)
  }

  /// A user's row.
  func storedUser(_ name: String = TestPool.user) async throws -> User {
    let id = id
    let user = try await store.read(at: clock.time, .fresh) { rows throws(UserPoolError) in
      try rows.user(named: name, in: rows.existingPool(id))
    }
    return try #require(user)
  }
}

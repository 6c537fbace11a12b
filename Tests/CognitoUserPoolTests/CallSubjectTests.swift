internal import CognitoUserPool
internal import SecureRemotePassword
internal import ServiceOperations
internal import Testing
internal import TokenSecurityBase

/// The rules of an operation that changes something name what it concerns, in the transactions that they need in any case,
/// also where they refuse the call.
@Suite struct CallSubjectTests {
  /// The members of an administrator's call besides the pool's id, by operation. `CLIENT` is the id of a client.
  private static let calls: [ExactString: JSONObject] = [
    "AddCustomAttributes": ["CustomAttributes": [["Name": "size", "AttributeDataType": "Number"]]],
    "AdminAddUserToGroup": ["Username": "jane", "GroupName": "none"],
    "AdminConfirmSignUp": ["Username": "jane"],
    "AdminCreateUser": ["Username": "jane"],
    "AdminDeleteSoftwareToken": ["Username": "jane"],
    "AdminDeleteUser": ["Username": "jane"],
    "AdminDeleteUserAttributes": ["Username": "jane", "UserAttributeNames": ["sub"]],
    "AdminDisableUser": ["Username": "jane"],
    "AdminEnableUser": ["Username": "jane"],
    "AdminForgetDevice": ["Username": "jane", "DeviceKey": "us-east-1_00000000-0000-0000-0000-000000000000"],
    "AdminInitiateAuth": [
      "ClientId": "CLIENT", "AuthFlow": "ADMIN_USER_PASSWORD_AUTH",
      "AuthParameters": ["USERNAME": "jane", "PASSWORD": "Wrong-horse-7"],
    ],
    "AdminRemoveUserFromGroup": ["Username": "jane", "GroupName": "none"],
    "AdminResetUserPassword": ["Username": "jane"],
    "AdminRespondToAuthChallenge": [
      "ClientId": "CLIENT", "ChallengeName": "CUSTOM_CHALLENGE", "Session": "none, but long enough",
      "ChallengeResponses": ["USERNAME": "jane"],
    ],
    "AdminSetUserMFAPreference": ["Username": "jane"],
    "AdminSetUserPassword": ["Username": "jane", "Password": "short"],
    "AdminSetUserSettings": ["Username": "jane", "MFAOptions": []],
    "AdminUpdateDeviceStatus": [
      "Username": "jane", "DeviceKey": "us-east-1_00000000-0000-0000-0000-000000000000",
    ],
    "AdminUpdateUserAttributes": ["Username": "jane", "UserAttributes": [["Name": "none", "Value": "x"]]],
    "AdminUserGlobalSignOut": ["Username": "jane"],
    "CreateGroup": ["GroupName": "group"],
    "CreateUserPoolClient": ["ClientName": "app"],
    "DeleteGroup": ["GroupName": "none"],
    "DeleteUserPool": [:],
    "DeleteUserPoolClient": ["ClientId": "none"],
    "SetUserPoolMfaConfig": [:],
    "UpdateGroup": ["GroupName": "none"],
    "UpdateUserPool": [:],
    "UpdateUserPoolClient": ["ClientId": "none"],
  ]

  /// The members of a call with a client and no access token, by operation.
  private static let clientCalls: [ExactString: JSONObject] = [
    "ConfirmForgotPassword": ["Username": "jane", "ConfirmationCode": "1", "Password": "Another-horse-9"],
    "ConfirmSignUp": ["Username": "jane", "ConfirmationCode": "1"],
    "ForgotPassword": ["Username": "jane"],
    "GetTokensFromRefreshToken": ["RefreshToken": "none"],
    "InitiateAuth": [
      "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": ["USERNAME": "jane", "PASSWORD": "Wrong-horse-7"],
    ],
    "ResendConfirmationCode": ["Username": "jane"],
    "RespondToAuthChallenge": [
      "ChallengeName": "CUSTOM_CHALLENGE", "Session": "none, but long enough",
      "ChallengeResponses": ["USERNAME": "jane"],
    ],
    "RevokeToken": ["Token": "none"],
    "SignUp": ["Username": "jane", "Password": "Another-horse-9"],
  ]

  /// The operations that change something and have a member, by the callers that they have.
  private static func operations(with member: ExactString, isSigned: Bool) -> Set<ExactString> {
    var names: Set<ExactString> = []
    for operation in userPools.operations {
      let schema = OperationSchema(operation)
      guard schema.declaration.changes != nil, schema.input.contains(where: { $0.name == member }) else {
        continue
      }
      var needsSignature = false
      if case .signed = schema.declaration.access { needsSignature = true }
      if needsSignature == isSigned { names.insert(schema.declaration.name) }
    }
    return names
  }

  @Test func allOperationsAreListed() {
    #expect(Set(Self.calls.keys) == Self.operations(with: "UserPoolId", isSigned: true))
    #expect(Set(Self.clientCalls.keys) == Self.operations(with: "ClientId", isSigned: false))
  }

  @Test(arguments: calls.keys.sorted()) func administrators(_ operation: ExactString) async throws {
    let pool = try await TestPool()
    try await pool.addUser()
    let sub = try await pool.storedUser().sub
    var members = try #require(Self.calls[operation])
    if members["ClientId"] == "CLIENT" { members["ClientId"] = .string(pool.client.id) }
    members["UserPoolId"] = .string(pool.id)
    let subject = try #require(try await pool.subject(operation.text, members))
    #expect(subject.poolID == pool.id)
    // A session that does not open names no user.
    let named = operation == "AdminRespondToAuthChallenge" ? nil : members["Username"] ?? members["AuthFlow"]
    #expect(subject.sub == (named == nil ? nil : sub))
  }

  @Test(arguments: clientCalls.keys.sorted()) func clients(_ operation: ExactString) async throws {
    let pool = try await TestPool()
    try await pool.addUser()
    var members = try #require(Self.clientCalls[operation])
    members["ClientId"] = .string(pool.client.id)
    #expect(try await pool.subject(operation.text, members)?.poolID == pool.id)
  }
}

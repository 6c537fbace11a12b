internal import CTokenSecurityMarks
internal import CognitoUserPool
internal import Records
internal import RecordsSQLite
internal import SecureRemotePassword
internal import ServiceOperations

/// Calls for names of users and for names of nobody, in a client that hides which is which.
///
/// Each name is used twice: for its offer, and for the measured call.
struct HiddenNames {
  private static let count = 12

  private let calls: UserPoolCalls
  private let pool, client: String

  /// Runs each call for users and for nobody in turn, in a measured region for each call. The databases are in an
  /// empty folder; a store in memory finds names of nobody faster. Without names of calls, all are measured.
  static func runAll(in folder: String, only names: Set<String>) async throws {
    for call in try NamedCall.all() where names.isEmpty || names.contains(call.name) {
      let store = try SQLiteRecordStore(path: "\(folder)/\(call.name).sqlite", tables: UserPoolTables.all)
      let sample = try await HiddenNames(over: store)
      let known = try await sample.addUsers()
      let unknown = try await sample.namesOfNobody()
      for (index, pair) in zip(known, unknown).enumerated() {
        for (kind, name) in [("known", pair.0), ("unknown", pair.1)] {
          guard index >= count else {
            try await sample.send(call, name)
            continue
          }
          cost_begin()
          try await sample.send(call, name)
          cost_end()
          print("names", "\(call.name)/\(kind)")
        }
      }
      try await store.close()
    }
  }

  private init(over store: any RecordStore) async throws {
    calls = try UserPoolCalls(over: store)
    let factors: JSONObject = ["AllowedFirstAuthFactors": ["PASSWORD", "EMAIL_OTP"]]
    let made = try await calls.call(
      "CreateUserPool",
      [
        "PoolName": "sample", "AutoVerifiedAttributes": ["email"],
        "Policies": .object(["SignInPolicy": .object(factors)]),
      ])
    pool = made["UserPool"]?.object?["Id"]?.string ?? ""
    let flows: JSONValue = ["ALLOW_USER_SRP_AUTH", "ALLOW_USER_PASSWORD_AUTH", "ALLOW_USER_AUTH"]
    let client = try await calls.call(
      "CreateUserPoolClient",
      [
        "UserPoolId": .string(pool), "ClientName": "sample", "ExplicitAuthFlows": flows,
        "PreventUserExistenceErrors": "ENABLED",
      ])
    self.client = client["UserPoolClient"]?.object?["ClientId"]?.string ?? ""
  }

  /// Names of one length, in no order. Those of users and of nobody, which end in other digits, lie among each other.
  private static func names(endingIn digit: Int) -> some Sequence<String> {
    (0...).lazy.map { "u\(10_007 + $0 * 7_919 % 90_000)\(digit)" }
  }

  private func addUsers() async throws -> [String] {
    let names = Array(Self.names(endingIn: 0).prefix(2 * Self.count))
    for name in names {
      let user: JSONObject = ["UserPoolId": .string(pool), "Username": .string(name)]
      var creation = user
      creation["MessageAction"] = "SUPPRESS"
      creation["UserAttributes"] = [
        ["Name": "email", "Value": .string("\(name)@example.com")],
        ["Name": "email_verified", "Value": "true"],
      ]
      try await calls.call("AdminCreateUser", creation)
      var change = user
      change["Password"] = "Tr0ub4dor&3"
      change["Permanent"] = true
      try await calls.call("AdminSetUserPassword", change)
      guard try await isOfferedCodes(name) else { throw ProbeError("a user is not offered a code") }
    }
    return names
  }

  /// Names of nobody that are offered the same factors as users.
  private func namesOfNobody() async throws -> [String] {
    var names: [String] = []
    for name in Self.names(endingIn: 1) {
      if try await isOfferedCodes(name) { names.append(name) }
      if names.count == 2 * Self.count { break }
    }
    return names
  }

  private func isOfferedCodes(_ name: String) async throws -> Bool {
    let asked: JSONObject = [
      "ClientId": .string(client), "AuthFlow": "USER_AUTH", "AuthParameters": ["USERNAME": .string(name)],
    ]
    return try await calls.call("InitiateAuth", asked)["AvailableChallenges"]?.array?.contains("EMAIL_OTP")
      ?? false
  }

  private func send(_ call: NamedCall, _ name: String) async throws {
    var members = call.members
    members["ClientId"] = .string(client)
    if case .object(var nested)? = members[call.nameIn] {
      nested["USERNAME"] = .string(name)
      members[call.nameIn] = .object(nested)
    } else {
      members["Username"] = .string(name)
    }
    do {
      try await calls.call(call.operation, members)
      guard call.ends.isEmpty else { throw ProbeError("\(call.name) was not refused") }
    } catch let error as UserPoolError where error.codeText == call.ends {
    }
  }
}

/// One call with a name, and the code of its refusal.
private struct NamedCall {
  let name, operation: String
  let members: JSONObject
  /// The member with `USERNAME`.
  var nameIn = "AuthParameters"
  var ends = ""

  static func all() throws -> [NamedCall] {
    let app = try CognitoAppClient(id: "c")
    let begun = try CognitoPasswordSignIn(userPoolID: "us-east-1_0", client: app, username: "u").request
      .parameters
    let key = JSONValue.string(begun["SRP_A"] ?? "")
    let device: JSONObject = [
      "SRP_A": key, "DEVICE_KEY": "us-east-1_00000000-0000-4000-8000-000000000000",
    ]
    return [
      NamedCall(
        name: "choice", operation: "InitiateAuth", members: ["AuthFlow": "USER_AUTH", "AuthParameters": [:]]),
      NamedCall(
        name: "srp", operation: "InitiateAuth",
        members: ["AuthFlow": "USER_SRP_AUTH", "AuthParameters": ["SRP_A": key]]),
      NamedCall(
        name: "password", operation: "InitiateAuth",
        members: ["AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": ["PASSWORD": "Wrong-horse-9"]],
        ends: "password_wrong"),
      NamedCall(
        name: "device", operation: "RespondToAuthChallenge",
        members: ["ChallengeName": "DEVICE_SRP_AUTH", "ChallengeResponses": .object(device)],
        nameIn: "ChallengeResponses", ends: "sign_in_session_invalid"),
      NamedCall(
        name: "code", operation: "InitiateAuth",
        members: ["AuthFlow": "USER_AUTH", "AuthParameters": ["PREFERRED_CHALLENGE": "EMAIL_OTP"]]),
      NamedCall(name: "forgot", operation: "ForgotPassword", members: [:]),
      NamedCall(
        name: "reset", operation: "ConfirmForgotPassword",
        members: ["ConfirmationCode": "000000", "Password": "Other-horse-9"],
        ends: "verification_code_mismatch"),
      NamedCall(
        name: "confirm", operation: "ConfirmSignUp", members: ["ConfirmationCode": "000000"],
        ends: "verification_code_mismatch"),
    ]
  }
}

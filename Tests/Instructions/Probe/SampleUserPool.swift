internal import CognitoUserPool
internal import SecureRemotePassword
internal import Synchronization
internal import TokenSecurityCrypto

/// A user pool in memory, with one user who has signed in. Its operations are called as requests name them.
final class SampleUserPool: Sendable {
  private static let password = "Tr0ub4dor&3"
  private static let now = SampleSignIn.now

  private let calls: UserPoolCalls
  private let facts: SignInFacts
  private let session: SignInSession
  /// Right answers to challenges. Each serves once.
  private let answers: Mutex<[[UInt8]]>
  private let challenge, refresh, getUser, update: [UInt8]

  /// A pool with so many answers for ``proof()``.
  init(answers: Int) async throws {
    let calls = try UserPoolCalls()
    let made = try await calls.call("CreateUserPool", ["PoolName": "sample"])
    let poolID = made["UserPool"]?.object?["Id"]?.string ?? ""
    let flows: JSONValue = ["ALLOW_USER_SRP_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"]
    let client = try await calls.call(
      "CreateUserPoolClient",
      ["UserPoolId": .string(poolID), "ClientName": "sample", "ExplicitAuthFlows": flows])
    let clientID = client["UserPoolClient"]?.object?["ClientId"]?.string ?? ""
    let user: JSONObject = ["UserPoolId": .string(poolID), "Username": "alice"]
    var creation = user
    creation["MessageAction"] = "SUPPRESS"
    creation["UserAttributes"] = [
      ["Name": "email", "Value": "alice@example.com"], ["Name": "email_verified", "Value": "true"],
    ]
    try await calls.call("AdminCreateUser", creation)
    var change = user
    change["Password"] = .string(Self.password)
    change["Permanent"] = true
    try await calls.call("AdminSetUserPassword", change)

    let app = try CognitoAppClient(id: clientID)
    let password = SecretBytes(Array(Self.password.utf8).span)
    var bodies: [[UInt8]] = []
    var request: [UInt8] = []
    for _ in 0...answers {
      let begun = try CognitoPasswordSignIn(userPoolID: poolID, client: app, username: "alice")
      request = begun.request.json
      let challenge = try CognitoChallenge(json: await calls.body("InitiateAuth", request))
      bodies.append(try begun.respond(to: challenge, password: password, at: Self.now).json)
    }
    let signedIn = try await calls.call("RespondToAuthChallenge", body: bodies.removeLast())
    guard let tokens = signedIn["AuthenticationResult"]?.object, let access = tokens["AccessToken"],
      let refresh = tokens["RefreshToken"]
    else { throw ProbeError("no tokens") }
    challenge = request
    let refreshing: JSONObject = [
      "ClientId": .string(clientID), "AuthFlow": "REFRESH_TOKEN_AUTH",
      "AuthParameters": ["REFRESH_TOKEN": refresh],
    ]
    self.refresh = JSONWriter.write(refreshing)
    let reading: JSONObject = ["AccessToken": access]
    getUser = JSONWriter.write(reading)
    let updating: JSONObject = ["UserPoolId": .string(poolID), "PoolName": "sample"]
    update = JSONWriter.write(updating)
    facts = try await calls.service.store.read(at: Self.now) { rows throws(UserPoolError) in
      let pool = try rows.existingPool(poolID)
      guard let user = try rows.user(canonicalName: "alice", in: pool) else { throw .userUnknown }
      return SignInFacts(
        pool: pool, client: try rows.existingClient(clientID, of: pool), user: user, authTime: Self.now)
    }
    var session = SignInSession()
    session.id = [UInt8](repeating: 1, count: 16)
    (session.poolID, session.clientID, session.challenge) = (poolID, clientID, "SOFTWARE_TOKEN_MFA")
    (session.sub, session.shownName, session.typedName) = (facts.user.sub, "alice", "alice")
    session.attemptKey = [UInt8](repeating: 2, count: 32)
    session.nameDigest = [UInt8](repeating: 3, count: 16)
    session.passwordDigest = [UInt8](repeating: 4, count: 16)
    self.session = session
    self.answers = Mutex(bodies)
    self.calls = calls
  }

  /// `InitiateAuth` with `USER_SRP_AUTH`.
  func begin() async throws { try await calls.call("InitiateAuth", body: challenge) }

  /// `RespondToAuthChallenge` with a right proof: the proof's check, the tokens, one commit.
  func proof() async throws {
    guard let answer = answers.withLock({ $0.popLast() }) else { throw ProbeError("no answer is left") }
    try await calls.call("RespondToAuthChallenge", body: answer)
  }

  /// The tokens of a sign-in, and the row that makes them valid.
  func issueTokens() async throws {
    _ = try await calls.service.sessions.issueTokens(
      facts, source: .signIn, context: CallContext(at: Self.now))
  }

  /// `InitiateAuth` with `REFRESH_TOKEN_AUTH`.
  func refreshTokens() async throws { try await calls.call("InitiateAuth", body: refresh) }

  /// `GetUser`.
  func readUser() async throws { try await calls.call("GetUser", body: getUser) }

  /// `CreateUserPool`.
  ///
  /// - Returns: the pool's id.
  func createPool() async throws -> String {
    let made = try await calls.call("CreateUserPool", ["PoolName": "sample"])
    guard let id = made["UserPool"]?.object?["Id"]?.string else { throw ProbeError("no pool was made") }
    return id
  }

  /// `CreateUserPool`, and the keys that the first sign-in needs, which are spares.
  func createPoolWithKeys() async throws {
    guard try await calls.service.keyRings.keys(of: createPool()).areComplete else {
      throw ProbeError("the pool has no keys")
    }
  }

  /// `UpdateUserPool`.
  func updatePool() async throws { try await calls.call("UpdateUserPool", body: update) }

  /// Seals a session and opens it.
  func sealSession() throws {
    guard try SignInSession(sealed: session.sealed(calls.secrets), calls.secrets) != nil else {
      throw ProbeError("a session cannot be opened")
    }
  }
}

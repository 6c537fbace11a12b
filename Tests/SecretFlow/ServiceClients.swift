internal import CMemcheck
internal import CognitoUserPoolClient
internal import HTTPExchange
internal import SecureRemotePassword
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The client of user pools, which proves a password. What it sends or stores as text, such as a password in place of a
/// proof, is not followed: the form of a text depends on its characters.
extension SecretFlow {
  /// Answers without a network: a challenge, then tokens.
  private struct Answers: HTTPTransport {
    let challenge: [UInt8]

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      let isFirst = request.headers["X-Amz-Target"]?.hasSuffix(".InitiateAuth") == true
      let tokens =
        #"{"ChallengeParameters":{},"AuthenticationResult":{"AccessToken":"a.b.c","IdToken":"a.b.c","#
        + #""RefreshToken":"r","ExpiresIn":3600,"TokenType":"Bearer"}}"#
      return TransportResponse(status: 200, body: isFirst ? challenge : Array(tokens.utf8))
    }
  }

  static func clientSignIns() async throws {
    let before = memcheck_errors()
    let pool = "eu-west-1_AbCdEfGhI"
    let app = try CognitoAppClient(id: "client")
    let users = try CognitoSimulatedUsers(key: marked("0123456789abcdef0123456789abcdef"), identity: .uuid)
    let begun = try CognitoPasswordSignIn(userPoolID: pool, client: app, username: "alice")
    // The same for each sign-in: the client's proof is of its own number all the same.
    let challenge = try challenge(
      begun.request, users.record(of: nil, userPoolID: pool, canonicalUsername: "alice"), [UInt8](0..<40)
    ).message
    var parameters = JSONObject()
    for name in challenge.parameters.names {
      parameters[name] = challenge.parameters[name].map(JSONValue.string)
    }
    let body: JSONValue = [
      "ChallengeName": .string(challenge.name), "ChallengeParameters": .object(parameters),
    ]
    let client = UserPoolClient(
      pool: try UserPool(id: pool, clientID: "client"),
      transport: Answers(challenge: Array(body.description.utf8)))
    for password in ["right", "a longer one"] {
      switch try await client.signIn(username: "alice", password: marked(password)) {
      case .done: break
      default: fatalError("the client is not signed in")
      }
    }
    report("sign-ins of the client of user pools", memcheck_errors() - before)
  }
}

public import TokenSecurityCrypto

/// A user's sign-in to a user pool, without sending the password (`USER_SRP_AUTH`).
///
/// ```swift
/// let signIn = try CognitoPasswordSignIn(userPoolID: "eu-west-1_AbCdEfGhI", client: app, username: name)
/// let challenge = try CognitoChallenge(json: await call("InitiateAuth", signIn.request.json))
/// let response = try signIn.respond(to: challenge, password: password)
/// let tokens = await call("RespondToAuthChallenge", response.json)
/// ```
public struct CognitoPasswordSignIn: ~Copyable, Sendable {
  /// The `InitiateAuth` request.
  public let request: CognitoAuthRequest

  private let poolName: String
  private let client: CognitoAppClient
  private let deviceKey: String?
  private let exchange: CognitoExchange

  /// Draws a random a of 1,024 bits and computes A.
  ///
  /// - Parameters:
  ///   - userPoolID: the user pool, `REGION_NAME`.
  ///   - client: the app client.
  ///   - username: the user's name or alias.
  ///   - deviceKey: the key of a remembered device. Default: none.
  /// - Throws: `userPoolIDMalformed`, `deviceKeyMalformed`, `empty`, `tooLong`, `randomUnavailable`,
  ///   `libraryFailure`.
  public init(
    userPoolID: String, client: CognitoAppClient, username: String, deviceKey: String? = nil
  ) throws(SRPError) {
    // Both are checked before anything is sent.
    let typed = try CognitoSRPIdentity.user(userPoolID: userPoolID, userIDForSRP: username)
    if let deviceKey { try CognitoSRPIdentity.check(deviceKey: deviceKey) }
    let exchange = try CognitoExchange()
    var parameters: CognitoParameters = ["USERNAME": username, "SRP_A": exchange.publicKey]
    parameters["SECRET_HASH"] = try client.secretHash(username: username)
    parameters["DEVICE_KEY"] = deviceKey
    request = CognitoAuthRequest(flow: "USER_SRP_AUTH", clientID: client.id, parameters: parameters)
    poolName = typed.realm
    self.client = client
    self.deviceKey = deviceKey
    self.exchange = exchange
  }

  /// Responds to the challenge `PASSWORD_VERIFIER`. `USERNAME` and `SECRET_HASH` use the challenge's
  /// `USERNAME`, which can differ from the name that the user typed.
  ///
  /// - Parameters:
  ///   - challenge: the pool's challenge.
  ///   - password: the password, at most 4,096 bytes.
  ///   - instant: the time of the response.
  /// - Returns: the response to send.
  /// - Throws: `challengeUnexpected`, `parameterMissing`, `hexadecimal`, `base64`, `publicKeyZero`,
  ///   `publicKeyTrivial`, `publicKeyTooLong`, `publicKeyOutOfRange`, `scramblingParameterZero`, `empty`,
  ///   `tooLong`, `libraryFailure`.
  public consuming func respond(
    to challenge: CognitoChallenge, password: borrowing SecretBytes, at instant: Timestamp = .now
  ) throws(SRPError) -> CognitoChallengeResponse {
    try challenge.require("PASSWORD_VERIFIER")
    let identity = try CognitoSRPIdentity.user(
      poolName: poolName, userIDForSRP: challenge.parameters.required("USER_ID_FOR_SRP"))
    let username = challenge.parameters["USERNAME"] ?? identity.name
    var responses = try exchange.responses(to: challenge, identity, password: password, at: instant)
    responses["USERNAME"] = username
    responses["SECRET_HASH"] = try client.secretHash(username: username)
    responses["DEVICE_KEY"] = deviceKey
    return CognitoChallengeResponse(
      name: challenge.name, clientID: client.id, responses: responses, session: challenge.session)
  }
}

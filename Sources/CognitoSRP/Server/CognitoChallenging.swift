public import SecureRemotePassword
internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

extension CognitoSignInServer {
  /// The challenge `PASSWORD_VERIFIER` for a request with `SRP_A`.
  ///
  /// Besides `USER_SRP_AUTH`, the flows `CUSTOM_AUTH` and `USER_AUTH` begin with it, and so does a response to
  /// `SELECT_CHALLENGE`, whose parameters then go into `request`. The caller decides whether the app client
  /// may use the request's flow.
  ///
  /// - Parameters:
  ///   - request: the client's request; `flow` is not looked at.
  ///   - client: the app client in the request.
  ///   - user: the stored user with the request's `USERNAME`; nil if there is none.
  ///   - canonicalUsername: the spelling under which the store looks up `USERNAME`, if several spellings lead
  ///     to one user (case, normal form, an alias). Compute it in the same way for users who do not exist:
  ///     their salt and id depend on it, and two spellings with two salts would show that there is no such
  ///     user. Default: `USERNAME`, for stores that compare bytes.
  ///   - key: the server's numbers, for this challenge only.
  ///   - now: the current time.
  /// - Returns: the challenge to send.
  /// - Throws: `parameterMissing`, `secretHashMissing`, `secretHashUnexpected`, `secretHashMismatch`,
  ///   `hexadecimal`, `publicKeyZero`, `publicKeyTrivial`, `publicKeyTooLong`, `publicKeyOutOfRange`,
  ///   `scramblingParameterZero`, `empty`, `tooLong`, `deviceKeyMalformed`, `challengesExhausted`,
  ///   `libraryFailure`.
  public func challenge(
    _ request: CognitoAuthRequest, client: CognitoAppClient, user: consuming CognitoUserRecord?,
    canonicalUsername: String? = nil, key: consuming CognitoServerKey, at now: Timestamp = .now
  ) async throws(SRPError) -> CognitoChallenge {
    let prepared = try prepare(
      request, client: client, user: user, canonicalUsername: canonicalUsername, key: key, at: now)
    let block = try await secretBlocks.issue(prepared.pending, at: now)
    return prepared.challenge(secretBlock: block)
  }

  /// The same without a block, which the caller makes from the pending challenge: for computations on threads
  /// of their own.
  ///
  /// `simulatedName` is the name and id that is shown for a user who does not exist. Default: as the simulated
  /// users' `identity` says.
  package func prepare(
    _ request: CognitoAuthRequest, client: CognitoAppClient, user: consuming CognitoUserRecord?,
    canonicalUsername: String?, simulatedName: String? = nil, key: consuming CognitoServerKey,
    at now: Timestamp
  ) throws(SRPError) -> CognitoPreparedChallenge {
    let typed = try Self.username(request.parameters.required("USERNAME"))
    let canonical = try Self.username(canonicalUsername ?? typed)
    try client.check(secretHash: request.parameters["SECRET_HASH"], username: typed)
    _ = try request.deviceKey
    let clientPublicKey = try Self.publicKey(request.parameters)
    // Computed for existing users too, so that the time does not show which users exist.
    let other = try simulatedUsers.record(pool: poolName, username: canonical, shown: simulatedName)
    let record = Self.chosen(user, or: other)
    let identity = try CognitoSRPIdentity.user(userPoolID: userPoolID, userIDForSRP: record.userIDForSRP)
    let context = try context(.user, client, username: record.username, identity)
    let exchange = try ServerExchange(
      record.verifier, clientPublicKey, key, context: context, end: policy.end(of: now))
    return CognitoPreparedChallenge(
      consume exchange, Factor.user.name, salt: record.verifier.salt,
      ["USER_ID_FOR_SRP": identity.name, "USERNAME": record.username], session: nil)
  }

  /// The challenge `DEVICE_PASSWORD_VERIFIER` for the response to `DEVICE_SRP_AUTH`. It follows a user's
  /// sign-in, so that the service may report an unknown device.
  ///
  /// - Parameters:
  ///   - response: the client's response.
  ///   - client: the app client in the response.
  ///   - username: the user's name in the pool, from the session.
  ///   - groupKey: the group key stored with the response's `DEVICE_KEY`.
  ///   - verifier: the salt and verifier stored with it.
  ///   - key: the server's numbers, for this challenge only.
  ///   - now: the current time.
  /// - Returns: the challenge to send.
  /// - Throws: the errors of ``challenge(_:client:user:canonicalUsername:key:at:)``, and
  ///   `challengeUnexpected`.
  public func deviceChallenge(
    _ response: CognitoChallengeResponse, client: CognitoAppClient, username: String, groupKey: String,
    verifier: borrowing CognitoVerifier, key: consuming CognitoServerKey, at now: Timestamp = .now
  ) async throws(SRPError) -> CognitoChallenge {
    let prepared = try prepareDevice(
      response, client: client, username: username, groupKey: groupKey, verifier: verifier, key: key, at: now)
    let block = try await secretBlocks.issue(prepared.pending, at: now)
    return prepared.challenge(secretBlock: block)
  }

  /// The same without a block, which the caller makes from the pending challenge.
  package func prepareDevice(
    _ response: CognitoChallengeResponse, client: CognitoAppClient, username: String, groupKey: String,
    verifier: borrowing CognitoVerifier, key: consuming CognitoServerKey, at now: Timestamp
  ) throws(SRPError) -> CognitoPreparedChallenge {
    try response.require("DEVICE_SRP_AUTH")
    try client.check(
      secretHash: response.responses["SECRET_HASH"],
      username: Self.username(response.responses.required("USERNAME")))
    let deviceKey = try response.responses.required("DEVICE_KEY")
    let identity = try CognitoSRPIdentity.device(groupKey: groupKey, deviceKey: deviceKey)
    let clientPublicKey = try Self.publicKey(response.responses)
    let context = try context(.device, client, username: username, identity)
    let exchange = try ServerExchange(
      verifier, clientPublicKey, key, context: context, end: policy.end(of: now))
    return CognitoPreparedChallenge(
      consume exchange, Factor.device.name, salt: verifier.salt,
      ["DEVICE_KEY": deviceKey, "USERNAME": username], session: response.session)
  }

  /// The two kinds of challenges, by name.
  enum Factor: ExactString {
    case user = "PASSWORD_VERIFIER"
    case device = "DEVICE_PASSWORD_VERIFIER"
  }

  func context(
    _ factor: Factor, _ client: CognitoAppClient, username: String, _ identity: CognitoSRPIdentity
  ) throws(SRPError) -> [UInt8] {
    try CognitoPendingChallenge.context([
      factor.name, userPoolID, client.id, username, identity.realm, identity.name,
    ])
  }

  /// Refuses an empty or too long name.
  static func username(_ name: String) throws(SRPError) -> String {
    guard !name.isEmpty else { throw .empty(.identity) }
    try SRPLimits.check(name.utf8.count, .identity, SRPLimits.identity)
    return name
  }

  /// Reads A. A value that would reveal the key is refused before secrets are used.
  private static func publicKey(_ parameters: CognitoParameters) throws(SRPError) -> [UInt8] {
    let group = SRPGroup(try CognitoKeySchedule.group)
    let bytes = try CognitoNumber.bytes(
      hexadecimal: parameters.required("SRP_A"), .clientPublicKey, limit: group.size)
    try group.check(bytes, of: .client)
    return bytes
  }

  private static func chosen(
    _ user: consuming CognitoUserRecord?, or other: consuming CognitoUserRecord
  ) -> CognitoUserRecord {
    switch consume user {
    case .some(let user): user
    case .none: other
    }
  }
}

/// A challenge without its secret block, and what the block must contain.
package struct CognitoPreparedChallenge: ~Copyable, Sendable {
  /// What the secret block identifies.
  package let pending: CognitoPendingChallenge
  private let name: String
  private let parameters: CognitoParameters
  private let session: String?

  init(
    _ exchange: consuming ServerExchange, _ name: String, salt: [UInt8], _ parameters: CognitoParameters,
    session: String?
  ) {
    var parameters = parameters
    parameters["SALT"] = CognitoNumber.hexadecimal(salt)
    parameters["SRP_B"] = exchange.publicKey
    self.name = name
    self.parameters = parameters
    self.session = session
    pending = exchange.pending
  }

  /// The challenge to send.
  package func challenge(secretBlock: [UInt8]) -> CognitoChallenge {
    var parameters = parameters
    parameters["SECRET_BLOCK"] = Base64.string(secretBlock)
    return CognitoChallenge(name: name, parameters: parameters, session: session)
  }
}

/// The server's B and the pending challenge for a client's A.
struct ServerExchange: ~Copyable {
  /// `SRP_B`.
  let publicKey: String
  let pending: CognitoPendingChallenge

  init(
    _ verifier: borrowing CognitoVerifier, _ clientPublicKey: [UInt8], _ key: borrowing CognitoServerKey,
    context: [UInt8], end: Timestamp
  ) throws(SRPError) {
    let secrets = try ServerSecrets(verifier, clientPublicKey, key)
    let id = try SRPError.of { () throws(CryptoError) in try Random.publicBytes(count: 16) }
    publicKey = CognitoNumber.hexadecimal(secrets.publicKey)
    pending = CognitoPendingChallenge(id: id, end: end, context: context, key: secrets.key.clone())
  }
}

/// All numbers of the server's side, for comparison with test vectors.
struct ServerSecrets: ~Copyable {
  let publicKey: [UInt8]
  let scramblingParameter: [UInt8]
  let secret: SecretBytes
  let key: SecretBytes

  init(
    _ verifier: borrowing CognitoVerifier, _ clientPublicKey: [UInt8], _ key: borrowing CognitoServerKey
  ) throws(SRPError) {
    let publicKey = try CognitoKeySchedule.withMultiplier { (group, k) throws(CryptoError) in
      try ExchangeArithmetic.serverPublicKey(
        group, multiplier: k, verifier: Number(verifier.value), power: key.power
      ).publicBytes(count: group.size)
    }
    let u = try CognitoKeySchedule.scramblingParameter(client: clientPublicKey, server: publicKey)
    let group = try CognitoKeySchedule.group
    let secret = try SRPError.of { () throws(CryptoError) in
      try ExchangeArithmetic.serverSecret(
        group, clientPublicKey: clientPublicKey, verifier: Number(verifier.value), privateKey: key.privateKey,
        scramblingParameter: u)
    }
    let derived = try SRPError.of { () throws(CryptoError) in
      try CognitoKeySchedule.key(secret, scramblingParameter: u)
    }
    self.publicKey = publicKey
    scramblingParameter = u
    self.secret = secret
    self.key = derived
  }
}

public import SecureRemotePassword
internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

extension CognitoSignInServer {
  /// The challenge `PASSWORD_VERIFIER` for `InitiateAuth` with `USER_SRP_AUTH`.
  ///
  /// - Parameters:
  ///   - request: the client's request.
  ///   - client: the app client in the request.
  ///   - user: the stored user with the request's `USERNAME`; nil if there is none.
  ///   - canonicalUsername: the spelling under which the store looks up `USERNAME`, if several spellings lead
  ///     to one user (case, normal form, an alias). Compute it in the same way for users who do not exist:
  ///     their salt and id depend on it, and two spellings with two salts would show that there is no such
  ///     user. Default: `USERNAME`, for stores that compare bytes.
  ///   - key: the server's numbers, for this challenge only.
  ///   - now: the current time.
  /// - Returns: the challenge to send.
  /// - Throws: `challengeUnexpected`, `parameterMissing`, `secretHashMissing`, `secretHashUnexpected`,
  ///   `secretHashMismatch`, `hexadecimal`, `publicKeyZero`, `publicKeyTrivial`, `publicKeyTooLong`,
  ///   `publicKeyOutOfRange`, `scramblingParameterZero`, `empty`, `tooLong`, `deviceKeyMalformed`,
  ///   `challengesExhausted`, `libraryFailure`.
  public func challenge(
    _ request: CognitoAuthRequest, client: CognitoAppClient, user: consuming CognitoUserRecord?,
    canonicalUsername: String? = nil, key: consuming CognitoServerKey, at now: Timestamp = .now
  ) async throws(SRPError) -> CognitoChallenge {
    guard request.flow == "USER_SRP_AUTH" else {
      throw .challengeUnexpected(actual: request.flow, expected: "USER_SRP_AUTH")
    }
    let typed = try Self.username(request.parameters.required("USERNAME"))
    let canonical = try Self.username(canonicalUsername ?? typed)
    try client.check(secretHash: request.parameters["SECRET_HASH"], username: typed)
    if let deviceKey = request.parameters["DEVICE_KEY"] { try CognitoSRPIdentity.check(deviceKey: deviceKey) }
    let clientPublicKey = try Self.publicKey(request.parameters)
    // Computed for existing users too, so that the time does not show which users exist.
    let other = try simulatedUsers.record(pool: poolName, username: canonical)
    let record = Self.chosen(user, or: other)
    let identity = try CognitoSRPIdentity.user(userPoolID: userPoolID, userIDForSRP: record.userIDForSRP)
    let context = try context(.user, client, username: record.username, identity)
    let exchange = try ServerExchange(
      record.verifier, clientPublicKey, key, context: context, end: policy.end(of: now))
    let block = try await secretBlocks.issue(exchange.pending, at: now)
    return CognitoChallenge(
      name: Factor.user.name,
      parameters: [
        "SALT": CognitoNumber.hexadecimal(record.verifier.salt), "SRP_B": exchange.publicKey,
        "SECRET_BLOCK": Base64.string(block), "USER_ID_FOR_SRP": identity.name, "USERNAME": record.username,
      ])
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
  /// - Throws: the errors of ``challenge(_:client:user:canonicalUsername:key:at:)``.
  public func deviceChallenge(
    _ response: CognitoChallengeResponse, client: CognitoAppClient, username: String, groupKey: String,
    verifier: borrowing CognitoVerifier, key: consuming CognitoServerKey, at now: Timestamp = .now
  ) async throws(SRPError) -> CognitoChallenge {
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
    let salt = CognitoNumber.hexadecimal(verifier.salt)
    let block = try await secretBlocks.issue(exchange.pending, at: now)
    return CognitoChallenge(
      name: Factor.device.name,
      parameters: [
        "SALT": salt, "SRP_B": exchange.publicKey, "SECRET_BLOCK": Base64.string(block),
        "DEVICE_KEY": deviceKey, "USERNAME": username,
      ], session: response.session)
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

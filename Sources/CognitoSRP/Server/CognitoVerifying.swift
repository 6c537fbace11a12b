public import SecureRemotePassword
internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// A user, or a user's device, whose password was verified. Only ``CognitoSignInServer`` creates this value.
public struct CognitoVerifiedUser: Sendable, Hashable {
  /// The user's name in the pool.
  public let username: String
  /// The key of the verified device; nil for the user's own password.
  public let deviceKey: String?
  /// The response's timestamp.
  public let timestamp: Timestamp

  init(username: String, deviceKey: String?, timestamp: Timestamp) {
    self.username = username
    self.deviceKey = deviceKey
    self.timestamp = timestamp
  }
}

extension CognitoSignInServer {
  /// Verifies the response to `PASSWORD_VERIFIER`.
  ///
  /// Send the caller only the error's `SRPError.response`, and count the failure (``CognitoLockout``). A timestamp of
  /// another form is refused first, with `timestampMalformed`: do not count that. The secret block is not redeemed.
  ///
  /// The secret block can be redeemed once. Where the response has a device key
  /// (``CognitoChallengeResponse/deviceKey``), look up that device first: clients that are told "Device does
  /// not exist." send the same block again without the key.
  ///
  /// - Parameters:
  ///   - response: the client's response.
  ///   - client: the app client.
  ///   - username: the name in the pool of the user to whom the response's `USERNAME` leads, which may be an
  ///     alias or `USER_ID_FOR_SRP`. It must be the challenge's. `SECRET_HASH` is checked over the name that
  ///     was sent. Default: the response's `USERNAME`.
  ///   - userIDForSRP: the user's `USER_ID_FOR_SRP` from the store. Default: `username`.
  ///   - now: the current time.
  /// - Returns: the verified user.
  /// - Throws: `challengeUnexpected`, `parameterMissing`, `secretHashMissing`, `secretHashUnexpected`,
  ///   `secretHashMismatch`, `base64`, `empty`, `tooLong`, `secretBlockInvalid`, `secretBlockExpired`,
  ///   `secretBlockReplayed`, `secretBlockForeign`, `passwordMismatch`, `timestampMalformed`,
  ///   `timestampStale`, `timestampAhead`, `libraryFailure`.
  public func verify(
    _ response: CognitoChallengeResponse, client: CognitoAppClient, username: String? = nil,
    userIDForSRP: String? = nil, at now: Timestamp = .now
  ) async throws(SRPError) -> CognitoVerifiedUser {
    try response.require(Factor.user.name)
    let sent = try response.responses.required("USERNAME")
    let username = try Self.username(username ?? sent)
    let identity = try CognitoSRPIdentity.user(
      userPoolID: userPoolID, userIDForSRP: userIDForSRP ?? username)
    let timestamp = try await verify(response, .user, client, username: username, identity, at: now)
    return CognitoVerifiedUser(username: username, deviceKey: nil, timestamp: timestamp)
  }

  /// Verifies the response to `DEVICE_PASSWORD_VERIFIER`.
  ///
  /// - Parameters:
  ///   - response: the client's response.
  ///   - client: the app client.
  ///   - username: the user's name in the pool, from the session.
  ///   - groupKey: the group key stored with the response's `DEVICE_KEY`.
  ///   - now: the current time.
  /// - Returns: the verified user and device.
  /// - Throws: the errors of ``verify(_:client:username:userIDForSRP:at:)``, and `deviceKeyMalformed`.
  public func verifyDevice(
    _ response: CognitoChallengeResponse, client: CognitoAppClient, username: String, groupKey: String,
    at now: Timestamp = .now
  ) async throws(SRPError) -> CognitoVerifiedUser {
    try response.require(Factor.device.name)
    let deviceKey = try response.responses.required("DEVICE_KEY")
    let identity = try CognitoSRPIdentity.device(groupKey: groupKey, deviceKey: deviceKey)
    let timestamp = try await verify(response, .device, client, username: username, identity, at: now)
    return CognitoVerifiedUser(username: username, deviceKey: deviceKey, timestamp: timestamp)
  }

  private func verify(
    _ response: CognitoChallengeResponse, _ factor: Factor, _ client: CognitoAppClient, username: String,
    _ identity: CognitoSRPIdentity, at now: Timestamp
  ) async throws(SRPError) -> Timestamp {
    // The form is public, and checked before any secret is used: the answer is the same for all users and signatures.
    let timestamp = try response.responses.required("TIMESTAMP")
    let instant = try Timestamp(cognitoText: timestamp)
    try client.check(
      secretHash: response.responses["SECRET_HASH"],
      username: Self.username(response.responses.required("USERNAME")))
    let block = try CognitoSecretBlock.bytes(response.responses.required("PASSWORD_CLAIM_SECRET_BLOCK"))
    let signature = try response.responses.required("PASSWORD_CLAIM_SIGNATURE")
    // HMAC-SHA256 has 32 bytes, 44 characters in base64.
    try SRPLimits.check(signature.utf8.count, .signature, 64)
    guard let claimed = try? Base64.decode(signature) else { throw .base64(.signature) }
    let expectedContext = try context(factor, client, username: username, identity)
    let pending = try await secretBlocks.redeem(block, at: now)
    guard pending.context == expectedContext else { throw .secretBlockForeign }
    let isValid = try SRPError.of { () throws(CryptoError) in
      try CognitoKeySchedule.verify(claimed, pending.key, identity, secretBlock: block, timestamp: timestamp)
    }
    guard isValid else { throw .passwordMismatch }
    try policy.check(instant, at: now)
    return instant
  }
}

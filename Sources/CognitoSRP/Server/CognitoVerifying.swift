public import SecureRemotePassword
internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// Somebody who has proved a password. Only ``CognitoSignInServer`` makes one.
public struct CognitoVerifiedUser: Sendable, Hashable {
  /// The user's name in the pool.
  public let username: String
  /// The key of the device that was proved; nil for the user's own password.
  public let deviceKey: String?
  /// The instant that the answer says it was made at.
  public let timestamp: Timestamp

  init(username: String, deviceKey: String?, timestamp: Timestamp) {
    self.username = username
    self.deviceKey = deviceKey
    self.timestamp = timestamp
  }
}

extension CognitoSignInServer {
  /// Verifies the answer to `PASSWORD_VERIFIER`.
  ///
  /// `userIDForSRP`: the user's, from the store, where it is not the `USERNAME` of the answer.
  /// Tell the caller no more than the error's `SRPError.response`, and count the failure (``CognitoLockout``).
  ///
  /// Throws `challengeUnexpected`, `parameterMissing`, `secretHashMissing`, `secretHashUnexpected`,
  /// `secretHashMismatch`, `base64`, `empty`, `tooLong`, `secretBlockInvalid`, `secretBlockExpired`,
  /// `secretBlockReplayed`, `secretBlockForeign`, `passwordMismatch`, `timestampMalformed`, `timestampStale`,
  /// `timestampAhead`, `libraryFailure`.
  public func verify(
    _ response: CognitoChallengeResponse, client: CognitoAppClient, userIDForSRP: String? = nil,
    at now: Timestamp = .now
  ) async throws(SRPError) -> CognitoVerifiedUser {
    try response.require(Factor.user.name)
    let username = try Self.username(response.response("USERNAME"))
    let identity = try CognitoSRPIdentity.user(
      userPoolID: userPoolID, userIDForSRP: userIDForSRP ?? username)
    let timestamp = try await judge(response, .user, client, username: username, identity, at: now)
    return CognitoVerifiedUser(username: username, deviceKey: nil, timestamp: timestamp)
  }

  /// Verifies the answer to `DEVICE_PASSWORD_VERIFIER`.
  ///
  /// `username`: the user's, from the session. `groupKey`: what the store has under `DEVICE_KEY`.
  ///
  /// Throws what ``verify(_:client:userIDForSRP:at:)`` does, and `deviceKeyMalformed`.
  public func verifyDevice(
    _ response: CognitoChallengeResponse, client: CognitoAppClient, username: String, groupKey: String,
    at now: Timestamp = .now
  ) async throws(SRPError) -> CognitoVerifiedUser {
    try response.require(Factor.device.name)
    let deviceKey = try response.response("DEVICE_KEY")
    let identity = try CognitoSRPIdentity.device(groupKey: groupKey, deviceKey: deviceKey)
    let timestamp = try await judge(response, .device, client, username: username, identity, at: now)
    return CognitoVerifiedUser(username: username, deviceKey: deviceKey, timestamp: timestamp)
  }

  private func judge(
    _ response: CognitoChallengeResponse, _ factor: Factor, _ client: CognitoAppClient, username: String,
    _ identity: CognitoSRPIdentity, at now: Timestamp
  ) async throws(SRPError) -> Timestamp {
    try client.check(
      secretHash: response.responses["SECRET_HASH"], username: Self.username(response.response("USERNAME")))
    let block = try CognitoSecretBlock.bytes(response.response("PASSWORD_CLAIM_SECRET_BLOCK"))
    let timestamp = try response.response("TIMESTAMP")
    guard timestamp.utf8.count <= 128 else { throw .timestampMalformed(timestamp) }
    let signature = try response.response("PASSWORD_CLAIM_SIGNATURE")
    // The 32 bytes of HMAC-SHA256 have 44 characters.
    try SRPLimits.check(signature.utf8.count, .signature, 64)
    guard let claimed = try? Base64.decode(signature) else { throw .base64(.signature) }
    let expectedContext = try context(factor, client, username: username, identity)
    let pending = try await secretBlocks.redeem(block, at: now)
    guard pending.context == expectedContext else { throw .secretBlockForeign }
    let holds = try SRPError.of { () throws(CryptoError) in
      try CognitoKeySchedule.holds(claimed, pending.key, identity, secretBlock: block, timestamp: timestamp)
    }
    // Read before the signature is judged, and judged behind it, so that a wrong password, a wrong clock and neither of
    // them take the same time.
    let read = Timestamp.readCognitoText(timestamp)
    guard holds else { throw .passwordMismatch }
    guard let instant = read else { throw .timestampMalformed(timestamp) }
    try policy.check(instant, at: now)
    return instant
  }
}

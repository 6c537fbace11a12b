internal import TokenSecurityCrypto

/// The server's side of the challenges `PASSWORD_VERIFIER` and `DEVICE_PASSWORD_VERIFIER`: two functions over
/// bytes. Names, sessions, secret blocks and the counting of wrong passwords are the caller's.
///
/// ```swift
/// let challenge = try CognitoSRPServer.challenge(
///   publicKey: a, record: record, key: CognitoServerKey(), context: context)
/// let pending = try CognitoPendingChallenge(challenge.pending.bytes())        // in or below the secret block
/// let claim = try CognitoPasswordClaim(signature: signature, secretBlock: block, timestamp: timestamp)
/// try CognitoSRPServer.verify(claim, pending: pending, identity: record.identity, context: context)
/// ```
public enum CognitoSRPServer {
  /// Computes B for a client's A, and the key of the proof.
  ///
  /// The context is what the challenge is for, beside the identity: the challenge's name, the user pool's id, the
  /// app client's id and the user's name. A pending challenge is verified with the same context only.
  ///
  /// - Parameters:
  ///   - publicKey: A, big-endian (``CognitoNumber/publicKey(hexadecimal:)``).
  ///   - record: the user's or the device's record; for a user who does not exist, a simulated one
  ///     (``CognitoSimulatedUsers``).
  ///   - key: the server's numbers.
  ///   - context: texts that ``verify(_:pending:identity:context:maximumAge:maximumLead:at:)`` must be given too.
  /// - Returns: B, and the pending challenge.
  /// - Throws: `publicKeyZero`, `publicKeyTrivial`, `publicKeyTooLong`, `publicKeyOutOfRange`, before secrets are
  ///   used; `scramblingParameterZero`, `libraryFailure`.
  public static func challenge(
    publicKey: [UInt8], record: borrowing CognitoSRPRecord, key: consuming CognitoServerKey, context: [String]
  ) throws(SRPError) -> CognitoServerChallenge {
    try check(publicKey: publicKey)
    let digest = try CognitoPendingChallenge.digest(context, record.identity)
    let secrets = try ServerSecrets(record.verifier, publicKey, key)
    return CognitoServerChallenge(
      publicKey: secrets.publicKey,
      pending: CognitoPendingChallenge(context: digest, key: secrets.key.clone()))
  }

  /// Refuses an A that would reveal the key. No secret is needed for it, and no user.
  ///
  /// - Parameter publicKey: A, big-endian.
  /// - Throws: `publicKeyZero`, `publicKeyTrivial`, `publicKeyTooLong`, `publicKeyOutOfRange`, `libraryFailure`.
  package static func check(publicKey: [UInt8]) throws(SRPError) {
    try SRPGroup(CognitoKeySchedule.group).check(publicKey, of: .client)
  }

  /// Verifies a proof. The caller has redeemed the secret block: each serves for one attempt, right or wrong.
  ///
  /// Send the client only the error's `SRPError.response`, and count the failure (``CognitoLockout``).
  ///
  /// - Parameters:
  ///   - claim: the client's proof.
  ///   - pending: the challenge of the proof's secret block.
  ///   - identity: the identity of the user or device whom the response names.
  ///   - context: the texts that the challenge was created with.
  ///   - maximumAge: the maximum age of the timestamp, in whole seconds. Default: five minutes.
  ///   - maximumLead: how far the timestamp may be in the future, in whole seconds. Default: one minute.
  ///   - now: the current time.
  /// - Throws: `secretBlockForeign`, `passwordMismatch`, `timestampStale`, `timestampAhead`, `libraryFailure`.
  public static func verify(
    _ claim: CognitoPasswordClaim, pending: consuming CognitoPendingChallenge, identity: CognitoSRPIdentity,
    context: [String], maximumAge: Duration = .seconds(300), maximumLead: Duration = .seconds(60),
    at now: Timestamp = .now
  ) throws(SRPError) {
    guard try pending.context == CognitoPendingChallenge.digest(context, identity) else {
      throw .secretBlockForeign
    }
    let isValid = try SRPError.of { () throws(CryptoError) in
      try CognitoKeySchedule.verify(
        claim.signature, pending.key, identity, secretBlock: claim.secretBlock, timestamp: claim.text)
    }
    guard isValid else { throw .passwordMismatch }
    // The difference of two timestamps never overflows.
    let age = now.seconds - claim.timestamp.seconds
    guard age <= maximumAge.wholeSeconds else {
      throw .timestampStale(age: .seconds(age), limit: maximumAge)
    }
    guard -age <= maximumLead.wholeSeconds else {
      throw .timestampAhead(by: .seconds(-age), limit: maximumLead)
    }
  }
}

/// B, to send, and the pending challenge, to keep.
public struct CognitoServerChallenge: ~Copyable, Sendable {
  /// B, big-endian, 384 bytes. `SRP_B` is its ``CognitoNumber/hexadecimal(_:)``.
  public let publicKey: [UInt8]
  /// The challenge that the proof is verified with.
  public let pending: CognitoPendingChallenge
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

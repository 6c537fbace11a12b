internal import SecureRemotePassword
internal import ServiceOperations
internal import TokenSecurityBase

/// The server's side of SRP, whose challenges are in this service's sessions.
extension SignInSession {
  /// Computes the session's challenge for a client's A: `SALT`, `SRP_B` and the secret block.
  func srpChallenge(
    publicKey: [UInt8], _ record: borrowing CognitoSRPRecord, _ secrets: UserPoolSecrets
  ) throws(UserPoolError) -> [ExactString: String] {
    let made: CognitoServerChallenge
    do throws(SRPError) {
      made = try CognitoSRPServer.challenge(
        publicKey: publicKey, record: record, key: CognitoServerKey(), context: srpContext)
    } catch { throw UserPoolError(requestWith: error) }
    return [
      "USERNAME": shownName, "SALT": CognitoNumber.hexadecimal(record.verifier.salt),
      "SRP_B": CognitoNumber.hexadecimal(made.publicKey),
      "SECRET_BLOCK": Base64.string(try block(made.pending, secrets)),
    ]
  }

  /// The values that bind the proof to the session's challenge, besides the identity.
  fileprivate var srpContext: [String] { [challenge, poolID, clientID, shownName] }
}

extension SignInSession.OpenedBlock {
  /// Verifies the proof of an answer.
  ///
  /// - Parameters:
  ///   - answer: the answer with this block.
  ///   - identity: the user or the device.
  ///   - now: the time.
  /// - Returns: false for a wrong proof, which counts.
  /// - Throws: `parameterMissing`, `timestampMalformed`, `cryptoFailed`.
  func isProved(
    by answer: ChallengeAnswer, _ identity: CognitoSRPIdentity, at now: Timestamp
  ) throws(UserPoolError) -> Bool {
    let name: ExactString = "PASSWORD_CLAIM_SIGNATURE"
    guard let text = answer.responses.text(of: name) else { throw .parameterMissing(name.text) }
    // HMAC-SHA256 has 32 bytes, 44 characters in base64.
    guard text.utf8.count <= 64, let signature = try? Base64.decode(text) else { return false }
    let timestamp = try answer.responses.required("TIMESTAMP")
    do throws(SRPError) {
      try CognitoSRPServer.verify(
        CognitoPasswordClaim(signature: signature, secretBlock: bytes, timestamp: timestamp),
        pending: CognitoPendingChallenge(pending.bytes), identity: identity, context: session.srpContext,
        at: now)
      return true
    } catch {
      guard case .passwordWrong = UserPoolError(requestWith: error) else {
        throw UserPoolError(requestWith: error)
      }
      return false
    }
  }
}

extension [ExactString: SecretText] {
  /// The client's A, which is safe.
  ///
  /// - Throws: `parameterMissing`, `parameterRefused`.
  func clientPublicKey() throws(UserPoolError) -> [UInt8] {
    let text = try required("SRP_A")
    do throws(SRPError) {
      let publicKey = try CognitoNumber.publicKey(hexadecimal: text)
      try CognitoSRPServer.check(publicKey: publicKey)
      return publicKey
    } catch {
      throw UserPoolError(requestWith: error)
    }
  }
}

extension UserPoolError {
  /// For errors that a request can cause. Those that would help in guessing become a wrong password.
  init(requestWith error: SRPError) {
    self =
      switch error {
      case .publicKeyZero, .publicKeyTrivial, .publicKeyTooLong, .publicKeyOutOfRange, .hexadecimal,
        .scramblingParameterZero, .empty(.clientPublicKey):
        .parameterRefused("SRP_A", rule: "\(error)")
      case .timestampMalformed: .timestampMalformed
      case .passwordMismatch, .timestampStale, .timestampAhead, .secretBlockInvalid, .secretBlockForeign:
        .passwordWrong
      default: UserPoolError(error)
      }
  }
}

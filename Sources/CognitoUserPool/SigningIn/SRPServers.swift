internal import CognitoSRP
internal import ServiceOperations
internal import TokenSecurityEncodings

/// The server's side of SRP, with this service's sessions in place of its store of challenges.
extension UserPoolService {
  static func server(
    _ pool: UserPool, _ client: UserPoolClient, _ secrets: UserPoolSecrets, _ blocks: any CognitoSecretBlocks
  ) throws(UserPoolError) -> CognitoSignInServer {
    var policy = CognitoSignInServer.Policy()
    policy.challengeLifetime = client.sessionLifetime
    let limits = policy
    let users = try secrets.simulatedUsers(of: pool)
    return try UserPoolError.srp { () throws(SRPError) in
      try CognitoSignInServer(
        userPoolID: pool.id, simulatedUsers: users, secretBlocks: blocks, policy: limits)
    }
  }
}

/// For servers that only prepare challenges.
struct NoBlocks: CognitoSecretBlocks {
  func issue(_ challenge: borrowing CognitoPendingChallenge, at now: Timestamp) throws(SRPError) -> [UInt8] {
    throw .secretBlockInvalid
  }

  func redeem(_ block: [UInt8], at now: Timestamp) throws(SRPError) -> CognitoPendingChallenge {
    throw .secretBlockInvalid
  }
}

extension CognitoParameters {
  /// The parameters by name.
  var exact: [ExactString: String] {
    var texts: [ExactString: String] = [:]
    for name in names { texts[ExactString(name)] = self[name] }
    return texts
  }
}

extension CognitoChallengeResponse {
  /// The parts of an answer that SRP needs. The secret hash was checked before, and the session is this
  /// service's.
  init(proof answer: ChallengeAnswer) {
    var responses = CognitoParameters()
    for name in [
      "USERNAME", "DEVICE_KEY", "SRP_A", "TIMESTAMP", "PASSWORD_CLAIM_SECRET_BLOCK",
      "PASSWORD_CLAIM_SIGNATURE",
    ] {
      responses[name] = answer.responses.text(of: ExactString(name))
    }
    self.init(name: answer.challenge.name, clientID: answer.clientID, responses: responses)
  }
}

extension UserPoolError {
  /// For errors that a request can cause. What would help in guessing is a wrong password.
  init(requestWith error: SRPError) {
    self =
      switch error {
      case .parameterMissing(let name): .parameterMissing(name)
      case .publicKeyZero, .publicKeyTrivial, .publicKeyTooLong, .publicKeyOutOfRange, .hexadecimal,
        .scramblingParameterZero, .empty(.clientPublicKey):
        .parameterRefused("SRP_A", rule: "\(error)")
      case .timestampMalformed: .timestampMalformed
      case .empty, .tooLong, .base64, .passwordMismatch, .timestampStale, .timestampAhead,
        .secretBlockInvalid, .secretBlockForeign:
        .passwordWrong
      case .secretBlockExpired: .sessionExpired
      case .secretBlockReplayed: .sessionUsed
      case .deviceKeyMalformed: .deviceUnknown
      default: UserPoolError(error)
      }
  }
}

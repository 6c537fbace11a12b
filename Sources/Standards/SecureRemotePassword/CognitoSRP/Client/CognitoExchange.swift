internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The client's numbers of one sign-in and its response to a challenge, for users and devices.
struct CognitoExchange: ~Copyable, Sendable {
  /// `SRP_A`.
  let publicKey: String
  private let clientPublicKey: [UInt8]
  private let privateKey: Number

  /// The length of a in bits.
  static let exponentBits = 1_024

  init() throws(SRPError) {
    try self.init(
      privateKey: SRPError.of { () throws(CryptoError) in try Number.random(bits: Self.exponentBits) })
  }

  init(privateKey: consuming Number) throws(SRPError) {
    let power = try ExchangeArithmetic.publicKey(CognitoKeySchedule.group, privateKey)
    clientPublicKey = power
    publicKey = CognitoNumber.hexadecimal(power)
    self.privateKey = privateKey
  }

  /// The computed numbers, for comparison with test vectors.
  struct Secrets: ~Copyable {
    let secret: SecretBytes
    let key: SecretBytes
    let scramblingParameter: [UInt8]
  }

  borrowing func secrets(
    _ identity: CognitoSRPIdentity, password: borrowing SecretBytes, salt: String, serverPublicKey: String
  ) throws(SRPError) -> Secrets {
    let group = SRPGroup(try CognitoKeySchedule.group)
    let server = try CognitoNumber.bytes(hexadecimal: serverPublicKey, .serverPublicKey, limit: group.size)
    try group.check(server, of: .server)
    let salt = try CognitoNumber.bytes(hexadecimal: salt, .salt, limit: SRPLimits.salt)
    try SRPLimits.check(password.count, .password, SRPLimits.password)
    let u = try CognitoKeySchedule.scramblingParameter(client: clientPublicKey, server: server)
    let secret = try CognitoKeySchedule.withMultiplier { (group, k) throws(CryptoError) in
      let x = try CognitoKeySchedule.passwordExponent(identity, password: password, salt: salt)
      return try ExchangeArithmetic.clientSecret(
        group, multiplier: k, serverPublicKey: server, privateKey: privateKey, passwordExponent: x,
        scramblingParameter: u)
    }
    let key = try SRPError.of { () throws(CryptoError) in
      try CognitoKeySchedule.key(secret, scramblingParameter: u)
    }
    return Secrets(secret: secret, key: key, scramblingParameter: u)
  }

  /// The response parameters with the proof of the password.
  borrowing func responses(
    to challenge: CognitoChallenge, _ identity: CognitoSRPIdentity, password: borrowing SecretBytes,
    at instant: Timestamp
  ) throws(SRPError) -> CognitoParameters {
    let block = try challenge.parameters.required("SECRET_BLOCK")
    let blockBytes = try CognitoSecretBlock.bytes(block)
    let secrets = try secrets(
      identity, password: password, salt: challenge.parameters.required("SALT"),
      serverPublicKey: challenge.parameters.required("SRP_B"))
    let timestamp = instant.cognitoText
    let signature = Declassification.of(
      try SRPError.of { () throws(CryptoError) in
        try CognitoKeySchedule.signature(
          secrets.key, identity, secretBlock: blockBytes, timestamp: timestamp)
      })
    return [
      "TIMESTAMP": timestamp, "PASSWORD_CLAIM_SECRET_BLOCK": block,
      "PASSWORD_CLAIM_SIGNATURE": Base64.string(signature),
    ]
  }
}

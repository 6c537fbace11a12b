public import SecureRemotePassword
public import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// What a pool keeps instead of a user's or a device's password: salt and verifier.
///
/// Whoever has it can try passwords on it, and can pose as the pool. Store it as you would a hash of a password.
public struct CognitoVerifier: ~Copyable, Sendable {
  /// The salt, big-endian; zeros in front of it mean nothing.
  public let salt: [UInt8]
  /// v = g^x, big-endian, 384 bytes.
  public let value: SecretBytes

  /// The record of a new password, with a salt of 16 random bytes.
  ///
  /// Throws `tooLong`, `randomUnavailable`, `libraryFailure`.
  public init(identity: CognitoSRPIdentity, password: borrowing SecretBytes) throws(SRPError) {
    let salt = try SRPError.of { () throws(CryptoError) in
      try Random.publicBytes(count: 16)
    }
    try self.init(
      identity: identity, password: password,
      salt: salt)
  }

  /// The same with a salt of one's own, of 1 to 1,024 bytes.
  ///
  /// Throws `empty`, `tooLong`, `libraryFailure`.
  public init(
    identity: CognitoSRPIdentity, password: borrowing SecretBytes, salt: [UInt8]
  ) throws(SRPError) {
    try SRPLimits.check(salt: salt)
    try SRPLimits.check(password.count, .password, SRPLimits.password)
    let group = try CognitoKeySchedule.group
    let value = try SRPError.of { () throws(CryptoError) in
      let x = try CognitoKeySchedule.passwordExponent(identity, password: password, salt: salt)
      return try group.power(ofGenerator: x).secretBytes(count: group.size)
    }
    self.salt = salt
    self.value = value
  }

  /// A record from the store.
  ///
  /// Throws `empty`, `tooLong`, `verifierOutOfRange`.
  public init(salt: [UInt8], value: borrowing SecretBytes) throws(SRPError) {
    try SRPLimits.check(salt: salt)
    let value = try SRPVerifier.checked(value, SRPGroup(CognitoKeySchedule.group))
    self.salt = salt
    self.value = value
  }

  /// `DeviceSecretVerifierConfig` of `ConfirmDevice`: two numbers of two's complement in base64.
  ///
  /// Throws `empty`, `tooLong`, `base64`, `numberNegative`, `verifierOutOfRange`.
  public init(deviceSalt: String, passwordVerifier: String) throws(SRPError) {
    let salt = try CognitoNumber.bytes(base64: deviceSalt, .salt, limit: SRPLimits.salt)
    var value = try CognitoNumber.bytes(base64: passwordVerifier, .verifier, limit: 385)
    let secret = SecretBytes(wiping: &value)
    try self.init(salt: salt.isEmpty ? [0] : salt, value: secret)
  }
}

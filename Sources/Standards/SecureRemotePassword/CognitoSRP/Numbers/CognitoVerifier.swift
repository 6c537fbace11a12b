internal import TokenSecurityBase
public import TokenSecurityCrypto

/// The salt and verifier that a pool stores instead of a user's or a device's password.
///
/// Protect it like a password hash: it allows an offline search for the password, and impersonation of the
/// pool.
public struct CognitoVerifier: ~Copyable, Sendable {
  /// The salt, big-endian; leading zeros do not count.
  public let salt: [UInt8]
  /// v = g^x, big-endian, 384 bytes.
  public let value: SecretBytes

  /// Computes the verifier of a new password, with a salt of 16 random bytes. The salt has 32 hexadecimal
  /// digits without padding: its first digit is not zero, because some clients hash the digits that they
  /// receive.
  ///
  /// - Parameters:
  ///   - identity: the user or device.
  ///   - password: the password, at most 4,096 bytes.
  /// - Throws: `tooLong`, `randomUnavailable`, `libraryFailure`.
  public init(identity: CognitoSRPIdentity, password: borrowing SecretBytes) throws(SRPError) {
    let salt = CognitoNumber.salt(
      try SRPError.of { () throws(CryptoError) in try Random.publicBytes(count: 16) })
    try self.init(identity: identity, password: password, salt: salt)
  }

  /// Computes the verifier of a password with a given salt.
  ///
  /// - Parameters:
  ///   - identity: the user or device.
  ///   - password: the password, at most 4,096 bytes.
  ///   - salt: 1 to 1,024 bytes.
  /// - Throws: `empty`, `tooLong`, `libraryFailure`.
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

  /// Restores a stored verifier.
  ///
  /// - Parameters:
  ///   - salt: 1 to 1,024 bytes.
  ///   - value: the verifier, big-endian.
  /// - Throws: `empty`, `tooLong`, `verifierOutOfRange`.
  public init(salt: [UInt8], value: borrowing SecretBytes) throws(SRPError) {
    try SRPLimits.check(salt: salt)
    let value = try SRPVerifier.checked(value, SRPGroup(CognitoKeySchedule.group))
    self.salt = salt
    self.value = value
  }

  /// Reads `DeviceSecretVerifierConfig` of `ConfirmDevice`: two's complement numbers in base64.
  ///
  /// - Parameters:
  ///   - deviceSalt: `Salt`.
  ///   - passwordVerifier: `PasswordVerifier`.
  /// - Throws: `empty`, `tooLong`, `base64`, `numberNegative`, `verifierOutOfRange`.
  public init(deviceSalt: String, passwordVerifier: String) throws(SRPError) {
    let salt = try CognitoNumber.bytes(base64: deviceSalt, .salt, limit: SRPLimits.salt)
    var value = try CognitoNumber.bytes(base64: passwordVerifier, .verifier, limit: 385)
    let secret = SecretBytes(wiping: &value)
    try self.init(salt: salt.isEmpty ? [0] : salt, value: secret)
  }
}

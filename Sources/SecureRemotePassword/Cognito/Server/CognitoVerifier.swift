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

/// A user as a pool knows one.
public struct CognitoUserRecord: ~Copyable, Sendable {
  /// `USERNAME` of the challenge: the user's name in the pool, not the alias that was typed.
  public let username: String
  /// `USER_ID_FOR_SRP`: what the verifier was made with.
  public let userIDForSRP: String
  /// Salt and verifier.
  public let verifier: CognitoVerifier

  public init(username: String, userIDForSRP: String, verifier: consuming CognitoVerifier) {
    self.username = username
    self.userIDForSRP = userIDForSRP
    self.verifier = verifier
  }
}

/// The answer for users who do not exist: the same pool and name always get the same false salt and id.
public struct CognitoFalseUsers: Sendable {
  /// What stands for `USER_ID_FOR_SRP` and `USERNAME`. It must be of the kind that the pool's own users have.
  public enum Identity: Sendable, Hashable {
    /// The name that was given: for pools whose users sign in with their names alone.
    case givenName
    /// A made-up UUID: for pools whose users sign in with an address or a telephone number.
    case uuid
  }

  /// The kind of id.
  public let identity: Identity
  private let records: FalseVerifiers

  /// `key`: 32 random bytes or more, kept as long as the pool lives.
  ///
  /// Throws `keyTooShort`, `libraryFailure`.
  public init(key: borrowing SecretBytes, identity: Identity) throws(SRPError) {
    self.identity = identity
    records = try FalseVerifiers(key: key)
  }

  /// The record for a name of a pool.
  func record(pool: String, username: String) throws(SRPError) -> CognitoUserRecord {
    let name = Array(pool.utf8) + [UInt8(ascii: "_")] + Array(username.utf8)
    let salt = Declassification.of(
      try records.bytes("salt", name, count: 16).withBytes { [UInt8](unwipedCopy: $0) })
    let id = try identifier(name)
    let verifier = try CognitoVerifier(
      salt: salt, value: records.value(name, SRPGroup(CognitoKeySchedule.group)))
    let shown = identity == .givenName ? username : id
    return CognitoUserRecord(username: shown, userIDForSRP: shown, verifier: verifier)
  }

  /// A UUID of version 4 (RFC 9562 section 5.4), whichever of the two is shown: both take the same time.
  private func identifier(_ name: [UInt8]) throws(SRPError) -> String {
    var bytes = Declassification.of(
      try records.bytes("identifier", name, count: 16).withBytes { [UInt8](unwipedCopy: $0) })
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Array(Hex.string(bytes).utf8)
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
      .map { String(decoding: digits[$0], as: UTF8.self) }.joined(separator: "-")
  }
}

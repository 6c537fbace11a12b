public import TokenSecurityCrypto

/// What a server keeps instead of a password: salt and verifier (RFC 5054 section 2.4).
///
/// Whoever has it can try passwords on it, and can pose as the server; nobody can sign in with it. Store it as you
/// would a hash of a password.
public struct SRPVerifier: ~Copyable, Sendable {
  /// s.
  public let salt: [UInt8]
  /// v = g^x, big-endian, as long as N.
  public let value: SecretBytes

  /// The record of a new password, with a salt of 32 random bytes.
  ///
  /// Throws `tooLong`, `randomUnavailable`, `libraryFailure`.
  public init(
    identity: [UInt8], password: borrowing SecretBytes, parameters: SRPParameters
  ) throws(SRPError) {
    let salt = try SRPError.of { () throws(CryptoError) in
      try Random.publicBytes(count: 32)
    }
    try self.init(
      identity: identity, password: password,
      salt: salt, parameters: parameters)
  }

  /// The same with a salt of one's own, of 1 to 1,024 bytes.
  ///
  /// Throws `empty`, `tooLong`, `libraryFailure`.
  public init(
    identity: [UInt8], password: borrowing SecretBytes, salt: [UInt8], parameters: SRPParameters
  ) throws(SRPError) {
    try SRPLimits.check(salt: salt)
    try SRPLimits.check(identity.count, .identity, SRPLimits.identity)
    try SRPLimits.check(password.count, .password, SRPLimits.password)
    let value = try SRPError.of { () throws(CryptoError) in
      let x = try parameters.passwordExponent(identity: identity, password: password, salt: salt)
      let group = parameters.group.arithmetic
      return try group.power(ofGenerator: x).secretBytes(count: group.size)
    }
    self.salt = salt
    self.value = value
  }

  /// A record from the store.
  ///
  /// Throws `empty`, `tooLong`, `verifierOutOfRange`.
  public init(salt: [UInt8], value: borrowing SecretBytes, group: SRPGroup) throws(SRPError) {
    try SRPLimits.check(salt: salt)
    let value = try Self.checked(value, group)
    self.salt = salt
    self.value = value
  }

  /// A verifier from 2 to N - 2, as long as N.
  package static func checked(_ value: borrowing SecretBytes, _ group: SRPGroup) throws(SRPError)
    -> SecretBytes
  {
    guard value.count <= group.size + 1 else {
      throw .tooLong(.verifier, size: value.count, limit: group.size)
    }
    let place = try SRPError.of { () throws(CryptoError) in
      try value.withBytes { value throws(CryptoError) in try group.arithmetic.place(of: value) }
    }
    guard place == .inside else { throw .verifierOutOfRange }
    return try SRPError.of { () throws(CryptoError) in try Number(value).secretBytes(count: group.size) }
  }
}

public import TokenSecurityCrypto

/// The salt and verifier that a server stores instead of a password (RFC 5054 section 2.4).
///
/// Protect it like a password hash: it does not allow a sign-in, but an offline search for the password, and
/// impersonation of the server.
public struct SRPVerifier: ~Copyable, Sendable {
  /// s.
  public let salt: [UInt8]
  /// v = g^x, big-endian, as long as N.
  public let value: SecretBytes

  /// Computes the verifier of a new password, with a salt of 32 random bytes.
  ///
  /// - Parameters:
  ///   - identity: I, at most 2,048 bytes.
  ///   - password: P, at most 4,096 bytes.
  ///   - parameters: the parameters that both sides use.
  /// - Throws: `tooLong`, `randomUnavailable`, `libraryFailure`.
  public init(
    identity: [UInt8], password: borrowing SecretBytes, parameters: SRPParameters
  ) throws(SRPError) {
    let salt = try SRPError.of { () throws(CryptoError) in try Random.publicBytes(count: 32) }
    try self.init(identity: identity, password: password, salt: salt, parameters: parameters)
  }

  /// Computes the verifier of a password with a given salt.
  ///
  /// - Parameters:
  ///   - identity: I, at most 2,048 bytes.
  ///   - password: P, at most 4,096 bytes.
  ///   - salt: s, 1 to 1,024 bytes.
  ///   - parameters: the parameters that both sides use.
  /// - Throws: `empty`, `tooLong`, `libraryFailure`.
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

  /// Restores a stored verifier.
  ///
  /// - Parameters:
  ///   - salt: s, 1 to 1,024 bytes.
  ///   - value: v, big-endian.
  ///   - group: the group of v.
  /// - Throws: `empty`, `tooLong`, `verifierOutOfRange`.
  public init(salt: [UInt8], value: borrowing SecretBytes, group: SRPGroup) throws(SRPError) {
    try SRPLimits.check(salt: salt)
    let value = try Self.checked(value, group)
    self.salt = salt
    self.value = value
  }

  /// Checks that a verifier is in 2...N - 2, and returns it as long as N.
  package static func checked(_ value: borrowing SecretBytes, _ group: SRPGroup) throws(SRPError)
    -> SecretBytes
  {
    guard value.count <= group.size + 1 else {
      throw .tooLong(.verifier, size: value.count, limit: group.size)
    }
    let range = try SRPError.of { () throws(CryptoError) in
      try value.withBytes { value throws(CryptoError) in try group.arithmetic.range(of: value) }
    }
    guard range == .inside else { throw .verifierOutOfRange }
    return try SRPError.of { () throws(CryptoError) in try Number(value).secretBytes(count: group.size) }
  }
}

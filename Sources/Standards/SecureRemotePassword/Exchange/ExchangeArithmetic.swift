package import TokenSecurityCrypto

/// The arithmetic of client and server, shared by all variants of SRP-6a.
package enum ExchangeArithmetic {
  /// x = H(s | H(I | ":" | P)) (RFC 5054 section 2.4).
  package static func passwordExponent(
    _ algorithm: DigestAlgorithm, identity: [UInt8], password: borrowing SecretBytes, salt: [UInt8]
  ) throws(CryptoError) -> Number {
    var inner = try RunningDigest(algorithm)
    try inner.update(identity)
    try inner.update([UInt8(ascii: ":")])
    try inner.update(password)
    let credential = try inner.finishSecretly()
    var outer = try RunningDigest(algorithm)
    try outer.update(salt)
    try outer.update(credential)
    let digest = try outer.finishSecretly()
    return try Number(digest)
  }

  /// u = H(A | B) of encoded numbers (RFC 5054 section 2.6).
  ///
  /// - Throws: `scramblingParameterZero`.
  package static func scramblingParameter(
    _ algorithm: DigestAlgorithm, client: [UInt8], server: [UInt8]
  ) throws(SRPError) -> [UInt8] {
    let u = try SRPError.of { () throws(CryptoError) in
      var digest = try RunningDigest(algorithm)
      try digest.update(client)
      try digest.update(server)
      return try digest.finish()
    }
    guard u.contains(where: { $0 != 0 }) else { throw .scramblingParameterZero }
    return u
  }

  /// A = g^a, as long as N (RFC 5054 section 2.5.4).
  package static func publicKey(
    _ group: ModularGroup, _ privateKey: borrowing Number
  ) throws(SRPError) -> [UInt8] {
    do {
      return try group.power(ofGenerator: privateKey).publicBytes(count: group.size)
    } catch { throw SRPError(error) }
  }

  /// B = k v + g^b (RFC 5054 section 2.5.3).
  package static func serverPublicKey(
    _ group: ModularGroup, multiplier: borrowing Number, verifier: borrowing Number, power: borrowing Number
  ) throws(CryptoError) -> Number {
    try group.sum(group.product(multiplier, verifier), power)
  }

  /// S = (B - k g^x)^(a + u x) (RFC 5054 section 2.6).
  package static func clientSecret(
    _ group: ModularGroup, multiplier: borrowing Number, serverPublicKey: [UInt8],
    privateKey: borrowing Number,
    passwordExponent: borrowing Number, scramblingParameter: [UInt8]
  ) throws(CryptoError) -> SecretBytes {
    let verifier = try group.power(ofGenerator: passwordExponent)
    let base = try group.difference(
      Number(serverPublicKey), group.product(multiplier, verifier))
    let exponent = try privateKey.adding(
      productOf: Number(scramblingParameter), passwordExponent)
    return try group.power(base, exponent).secretBytes(count: group.size)
  }

  /// S = (A v^u)^b (RFC 5054 section 2.6).
  package static func serverSecret(
    _ group: ModularGroup, clientPublicKey: [UInt8], verifier: borrowing Number, privateKey: borrowing Number,
    scramblingParameter: [UInt8]
  ) throws(CryptoError) -> SecretBytes {
    let power = try group.power(verifier, Number(scramblingParameter))
    let base = try group.product(Number(clientPublicKey), power)
    return try group.power(base, privateKey).secretBytes(count: group.size)
  }
}

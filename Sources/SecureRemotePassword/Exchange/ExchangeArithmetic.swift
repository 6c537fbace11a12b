package import TokenSecurityCrypto

/// The arithmetic of client and server, shared by all variants of SRP-6a.
package enum ExchangeArithmetic {
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

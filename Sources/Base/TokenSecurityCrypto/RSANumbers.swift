extension PrivateKey {
  /// RSA's secret numbers (RFC 8017 section 3.2): all of them, or the private exponent alone.
  package struct RSANumbers: ~Copyable, Sendable {
    package let privateExponent: SecretBytes
    package let factors: Factors?

    package final class Factors: Sendable {
      package let p: SecretBytes
      package let q: SecretBytes
      package let dp: SecretBytes
      package let dq: SecretBytes
      package let qInverse: SecretBytes

      package init(
        p: consuming SecretBytes, q: consuming SecretBytes, dp: consuming SecretBytes,
        dq: consuming SecretBytes, qInverse: consuming SecretBytes
      ) {
        self.p = p
        self.q = q
        self.dp = dp
        self.dq = dq
        self.qInverse = qInverse
      }
    }

    package init(privateExponent: consuming SecretBytes, factors: Factors?) {
      self.privateExponent = privateExponent
      self.factors = factors
    }
  }
}

extension PrivateKey.RSANumbers {
  /// Refuses numbers that are too long for the modulus before any computation: the time of signing grows with
  /// the cube of their length. Throws `rsaPrivateNumber` for a number longer than the modulus,
  /// `keyPairMismatch` for contradicting lengths.
  borrowing func checkLengths(modulusBits: Int) throws(CryptoError) {
    try Self.check(privateExponent.numberBits(), modulusBits)
    guard let factors else { return }
    try Self.check(factors.p.numberBits(), modulusBits)
    try Self.check(factors.q.numberBits(), modulusBits)
    try Self.check(factors.dp.numberBits(), modulusBits)
    try Self.check(factors.dq.numberBits(), modulusBits)
    try Self.check(factors.qInverse.numberBits(), modulusBits)
    let p = factors.p.numberBits()
    let q = factors.q.numberBits()
    // A product has as many bits as both factors together, or one less.
    guard modulusBits == p + q || modulusBits == p + q - 1, factors.dp.numberBits() <= p,
      factors.dq.numberBits() <= q, factors.qInverse.numberBits() <= p
    else { throw .keyPairMismatch }
  }

  private static func check(_ bits: Int, _ limit: Int) throws(CryptoError) {
    guard bits <= limit else { throw .rsaPrivateNumber(bits: bits, limit: limit) }
  }
}

extension SecretBytes {
  /// The number of bits of the big-endian number in these bytes. Lengths of keys are not secret.
  borrowing func numberBits() -> Int {
    let start = numberStart(signed: false)
    guard start < count else { return 0 }
    return withBytes { bytes in (bytes.count - start) * 8 - bytes[start].leadingZeroBitCount }
  }
}

internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

@Suite struct KeyRefusalTests {
  private static let modulus = [UInt8]([0xC1] + [UInt8](repeating: 0x55, count: 254) + [0x57])

  @Test func rsaModulus() throws {
    #expect(throws: CryptoError.rsaModulusTooSmall(bits: 2047)) {
      try PublicKey(.rsa(modulus: [0x7F] + Self.modulus.dropFirst(), exponent: [1, 0, 1]))
    }
    #expect(throws: CryptoError.rsaModulusTooSmall(bits: 1024)) {
      try PublicKey(.rsa(modulus: [0xFF] + [UInt8](repeating: 0xFF, count: 127), exponent: [3]))
    }
    #expect(throws: CryptoError.rsaModulusTooLarge(bits: 8200)) {
      try PublicKey(.rsa(modulus: [UInt8](repeating: 0xFF, count: 1025), exponent: [3]))
    }
    #expect(throws: CryptoError.rsaModulusEven) {
      try PublicKey(.rsa(modulus: [UInt8](repeating: 0xFE, count: 256), exponent: [3]))
    }
    #expect(throws: CryptoError.malformedKey) {
      try PublicKey(.rsa(modulus: [0] + Self.modulus, exponent: [3]))
    }
    #expect(throws: CryptoError.malformedKey) { try PublicKey(.rsa(modulus: [], exponent: [3])) }
  }

  @Test(
    arguments: [[1], [2], [4], [1, 0, 0], [0x02, 0, 0, 0, 1], [], [UInt8](repeating: 0xFF, count: 256)]
      as [[UInt8]])
  func rsaExponent(exponent: [UInt8]) {
    #expect(throws: CryptoError.rsaExponent) {
      try PublicKey(.rsa(modulus: Self.modulus, exponent: exponent))
    }
  }

  @Test(arguments: [[3], [17], [1, 0, 1], [0x01, 0xFF, 0xFF, 0xFF, 0xFF]] as [[UInt8]])
  func rsaExponentAccepted(exponent: [UInt8]) throws {
    #expect(try PublicKey(.rsa(modulus: Self.modulus, exponent: exponent)).bits == 2048)
  }

  @Test(arguments: EllipticCurve.allCases)
  func pointOffTheCurve(curve: EllipticCurve) throws {
    let size = curve.coordinateSize
    let zero = [UInt8](repeating: 0, count: size)
    let one = [UInt8](repeating: 0, count: size - 1) + [1]
    for (x, y) in [(one, one), (zero, zero), ([UInt8](repeating: 0xFF, count: size), one)] {
      #expect(throws: CryptoError.invalidPoint) { try PublicKey(.ellipticCurve(curve, x: x, y: y)) }
    }
    #expect(throws: CryptoError.wrongLength(expected: size, actual: size - 1)) {
      try PublicKey(.ellipticCurve(curve, x: Array(one.dropFirst()), y: one))
    }
    #expect(throws: CryptoError.wrongLength(expected: size, actual: size + 1)) {
      try PublicKey(.ellipticCurve(curve, x: one, y: [0] + one))
    }
  }

  /// A point of one curve is not accepted on another: the invalid-curve attack.
  @Test func pointOfAnotherCurve() throws {
    guard
      case .ellipticCurve(_, let x, let y) = try PrivateKey(generating: .ellipticCurve(.secp256k1))
        .publicKey.components
    else {
      Issue.record("not an elliptic curve key")
      return
    }
    #expect(throws: CryptoError.invalidPoint) { try PublicKey(.ellipticCurve(.p256, x: x, y: y)) }
  }

  /// Computed in Python: the points of order 1, 2, 4 and 8 of edwards25519, with both signs of x.
  @Test(arguments: [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  ])
  func smallOrder(point: String) {
    #expect(throws: CryptoError.invalidPoint) {
      try PublicKey(.edwards(.ed25519, try Hex.decode(point)))
    }
  }

  @Test func edwardsLengths() {
    #expect(throws: CryptoError.wrongLength(expected: 32, actual: 31)) {
      try PublicKey(.edwards(.ed25519, [UInt8](repeating: 9, count: 31)))
    }
    #expect(throws: CryptoError.wrongLength(expected: 57, actual: 32)) {
      try PublicKey(.edwards(.ed448, [UInt8](repeating: 9, count: 32)))
    }
    #expect(throws: CryptoError.invalidPoint) {
      try PublicKey(.edwards(.ed448, [1] + [UInt8](repeating: 0, count: 56)))
    }
  }

  @Test func pairsThatDoNotBelongTogether() throws {
    let first = try PrivateKey(generating: .ellipticCurve(.p256))
    let second = try PrivateKey(generating: .ellipticCurve(.p256))
    guard case .ellipticCurve(_, let x, let y) = first.publicKey.components else {
      Issue.record("not an elliptic curve key")
      return
    }
    #expect(throws: CryptoError.keyPairMismatch) {
      try PrivateKey(curve: .p256, x: x, y: y, secret: second.secret())
    }
    #expect(throws: Never.self) { try PrivateKey(curve: .p256, x: x, y: y, secret: first.secret()) }
  }

  @Test func derKeysEndWhereTheyEnd() throws {
    let key = try PrivateKey(generating: .edwards(.ed25519)).publicKey
    let der = try key.subjectPublicKeyInfo()
    #expect(try KeyDER.subjectPublicKeyInfo(der).components == key.components)
    #expect(throws: CryptoError.trailingData) { try KeyDER.subjectPublicKeyInfo(der + [0]) }
    for count in 0..<der.count {
      #expect(throws: CryptoError.malformedKey) { try KeyDER.subjectPublicKeyInfo(Array(der[..<count])) }
    }
  }

  @Test func generationRefusesWeakKeys() {
    #expect(throws: CryptoError.rsaModulusTooSmall(bits: 2047)) {
      try PrivateKey(generating: .rsa(bits: 2047))
    }
    #expect(throws: CryptoError.rsaModulusTooLarge(bits: 16384)) {
      try PrivateKey(generating: .rsa(bits: 16384))
    }
  }
}

internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Key files must be DER. Forms that only BER allows have their own code.
@Suite struct KeyEncodingTests {
  private static let key = Result { try PrivateKey(generating: .ellipticCurve(.p521)) }

  /// A value with this tag and contents; `length` writes its length.
  private static func value(
    _ tag: UInt8, _ contents: [UInt8], length: (Int) -> [UInt8] = KeyEncodingTests.shortest
  ) -> [UInt8] {
    [tag] + length(contents.count) + contents
  }

  private static func shortest(_ count: Int) -> [UInt8] {
    count < 0x80
      ? [UInt8(count)]
      : count < 0x100 ? [0x81, UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
  }

  private static let identifier = value(
    0x30,
    value(0x06, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]) + value(0x06, [0x2B, 0x81, 0x04, 0x00, 0x23]))

  private static func point() throws -> [UInt8] {
    guard case .ellipticCurve(_, let x, let y) = try key.get().publicKey.components else { return [] }
    return [0x04] + x + y
  }

  @Test func theShapesOfPublicKeys() throws {
    let point = try Self.point()
    let good = Self.value(0x30, Self.identifier + Self.value(0x03, [0] + point))
    #expect(try KeyDER.subjectPublicKeyInfo(good).components == Self.key.get().publicKey.components)
    #expect(try good == Self.key.get().publicKey.subjectPublicKeyInfo())
    let bits = Self.value(0x03, [0] + point)
    let refused: [(String, [UInt8])] = [
      (
        "long form", Self.value(0x30, Self.identifier + bits) { [0x83, 0, UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      ),
      (
        "long form inside",
        Self.value(0x30, Self.value(0x30, Array(Self.identifier.dropFirst(2))) { [0x81, UInt8($0)] } + bits)
      ),
      (
        "zero-led",
        Self.value(0x30, Self.identifier + Self.value(0x03, [0] + point) { [0x82, 0, UInt8($0)] })
      ),
      ("indefinite", [0x30, 0x80] + Self.identifier + bits + [0, 0]),
      ("constructed", Self.value(0x30, Self.identifier + Self.value(0x23, bits))),
      (
        "unused bits",
        Self.value(0x30, Self.identifier + Self.value(0x03, [1] + point.dropLast() + [point[132] & 0xFE]))
      ),
      (
        "unused bits that are set",
        Self.value(0x30, Self.identifier + Self.value(0x03, [2] + point.dropLast() + [0xFF]))
      ),
    ]
    for (name, der) in refused {
      #expect(Self.isNotDER { _ = try KeyDER.subjectPublicKeyInfo(der) }, "\(name)")
      // None of them is accepted as a secret.
      let looksLikeKey = KeyShape.begins(der.span)
      #expect(looksLikeKey, "\(name)")
    }
  }

  private static func isNotDER(_ body: () throws -> Void) -> Bool {
    do {
      try body()
      return false
    } catch {
      if case .notDER = error as? CryptoError { return true }
      return false
    }
  }

  @Test func numbersInTheirShortestForm() throws {
    let modulus = [UInt8]([0xC1] + [UInt8](repeating: 0x55, count: 254) + [0x57])
    let exponent = Self.value(0x02, [1, 0, 1])
    let good = Self.value(0x30, Self.value(0x02, [0] + modulus) + exponent)
    #expect(try KeyDER.rsaPublicKey(good).bits == 2048)
    #expect(throws: CryptoError.notDER(rule: "a number is not in its shortest form")) {
      try KeyDER.rsaPublicKey(Self.value(0x30, Self.value(0x02, [0, 0] + modulus) + exponent))
    }
    #expect(throws: CryptoError.notDER(rule: "a number is not in its shortest form")) {
      try KeyDER.rsaPublicKey(
        Self.value(0x30, Self.value(0x02, [0] + modulus) + Self.value(0x02, [0, 1, 0, 1])))
    }
  }

  /// libcrypto computes with the numbers of DSA and DH keys of any length while parsing them.
  @Test func otherTypesAreRefusedByTheirIdentifier() throws {
    let parameters = Self.value(0x30, [UInt8](repeating: 0, count: 0) + Self.value(0x02, [7]))
    for (identifier, name): ([UInt8], String) in [
      ([0x2A, 0x86, 0x48, 0xCE, 0x38, 0x04, 0x01], "DSA"),
      ([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x03, 0x01], "DH"),
      ([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0A], "RSA-PSS"), ([0x2B, 0x65, 0x6E], "X25519"),
      ([0x2A, 0x03, 0x04], "1.2.3.4"),
    ] {
      let algorithm = Self.value(0x30, Self.value(0x06, identifier) + parameters)
      // The contents are not a key: they are not parsed.
      let der = Self.value(0x30, [0x02, 0x01, 0x00] + algorithm + Self.value(0x04, [0xFF]))
      #expect(throws: CryptoError.unsupportedKeyType(name)) {
        try KeyDER.privateKeyInfo(SecretBytes(der.span))
      }
      let info = Self.value(0x30, algorithm + Self.value(0x03, [0, 0xFF]))
      #expect(throws: CryptoError.unsupportedKeyType(name)) { try KeyDER.subjectPublicKeyInfo(info) }
    }
  }

  @Test func privateNumbersAreNotLongerThanTheModulus() throws {
    func number(_ count: Int) -> [UInt8] { Self.value(0x02, [0] + [UInt8](repeating: 0xFF, count: count)) }
    let numbers = [0x02, 0x01, 0x00] + number(256) + Self.value(0x02, [1, 0, 1])
    for place in 0..<6 {
      let parts = (0..<6).flatMap { number($0 == place ? 2_700 : 64) }
      let der = Self.value(0x30, numbers + parts)
      #expect(throws: CryptoError.rsaPrivateNumber(bits: 21_608, limit: 2_056)) {
        try KeyDER.rsaPrivateKey(SecretBytes(der.span))
      }
      let rsa = Self.value(
        0x30, Self.value(0x06, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]) + [0x05, 0x00])
      let info = Self.value(0x30, [0x02, 0x01, 0x00] + rsa + Self.value(0x04, der))
      #expect(throws: CryptoError.rsaPrivateNumber(bits: 21_608, limit: 2_056)) {
        try KeyDER.privateKeyInfo(SecretBytes(info.span))
      }
    }
  }

  @Test func secretsOfCurvesHaveTheCurvesLength() throws {
    let curve = Self.value(0xA0, Self.value(0x06, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]))
    let der = Self.value(
      0x30, [0x02, 0x01, 0x01] + Self.value(0x04, [UInt8](repeating: 1, count: 4_096)) + curve)
    #expect(throws: CryptoError.wrongLength(expected: 32, actual: 4_096)) {
      try KeyDER.ecPrivateKey(SecretBytes(der.span))
    }
  }

  /// Nested values, false lengths and empty values end in an error.
  @Test(arguments: [
    "", "30", "3000", "308000", "30820000", "3084ffffffff", "30850000000001", "30ff", "3f", "0500",
    "30020500", "3003020100",
  ])
  func nonsense(text: String) throws {
    let der = try Hex.decode(text)
    #expect(throws: CryptoError.self) { try KeyShape(der: der.span) }
    let looksLikeKey = KeyShape.begins(der.span)
    #expect(!looksLikeKey)
  }

  @Test func depthIsBounded() {
    var der: [UInt8] = []
    for _ in 0..<2_000 {
      der = Self.value(0x30, der) { [0x84, 0, UInt8($0 >> 16), UInt8($0 >> 8 & 0xFF), UInt8($0 & 0xFF)] }
    }
    #expect(throws: CryptoError.self) { try KeyShape(der: der.span) }
    let bits = Self.value(0x03, [0, 0])
    var inner: [UInt8] = []
    for _ in 0..<60 { inner = Self.value(0x30, inner) }
    let deep = Self.value(0x30, Self.value(0x30, Self.value(0x06, [0x2B]) + inner) + bits)
    #expect(throws: CryptoError.malformedKey) { try KeyShape(der: deep.span) }
  }
}

internal import JOSE
internal import Testing
internal import TokenSecurityBase

/// Secret numbers of EC keys, and the curves that a key names, in all forms of key files.
@Suite struct PrivateNumberTests {
  /// The order of P-256 (SEC 2 version 2.0, section 2.4.2), plus a number.
  private static func order(plus last: UInt8) throws -> [UInt8] {
    var bytes = try Hex.decode("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
    bytes[31] = UInt8(truncatingIfNeeded: Int(bytes[31]) + Int(Int8(bitPattern: last)))
    return bytes
  }

  private static func one() -> [UInt8] { [UInt8](repeating: 0, count: 31) + [1] }

  private static let x = "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
  private static let y = "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
  private static let p256: [UInt8] = [6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7]
  private static let secp256k1: [UInt8] = [6, 5, 0x2B, 0x81, 4, 0, 0x0A]

  private static func value(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
    [tag] + (contents.count < 0x80 ? [UInt8(contents.count)] : [0x81, UInt8(contents.count)]) + contents
  }

  /// An ECPrivateKey (RFC 5915 section 3), with the base point as its public key.
  private static func ecPrivateKey(
    _ number: [UInt8], curve: [UInt8]?, hasPoint: Bool = true
  ) throws -> [UInt8] {
    var contents: [UInt8] = [2, 1, 1] + value(4, number)
    if let curve { contents += value(0xA0, curve) }
    if hasPoint { contents += value(0xA1, value(3, [0, 4] + (try Hex.decode(x)) + (try Hex.decode(y)))) }
    return value(0x30, contents)
  }

  private static func privateKeyInfo(_ key: [UInt8], curve: [UInt8]) -> [UInt8] {
    let algorithm: [UInt8] = [6, 7, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1] + curve
    return value(0x30, [2, 1, 0] + value(0x30, algorithm) + value(4, key))
  }

  private static func files(_ number: [UInt8]) throws -> [[UInt8]] {
    let jwk: JSONObject = [
      "kty": "EC", "crv": "P-256", "x": .string(Base64URL.string(try Hex.decode(x))),
      "y": .string(Base64URL.string(try Hex.decode(y))), "d": .string(Base64URL.string(number)),
    ]
    let key = try ecPrivateKey(number, curve: p256)
    let pem =
      "-----BEGIN EC PRIVATE KEY-----\n\(Base64.string(key))\n-----END EC PRIVATE KEY-----\n"
    return [
      key, privateKeyInfo(key, curve: p256),
      privateKeyInfo(try ecPrivateKey(number, curve: nil), curve: p256), Array(pem.utf8),
      JSONWriter.write(jwk),
    ]
  }

  private func code(_ file: [UInt8]) -> JOSEError.Code? {
    do {
      let set = try KeyFile.read(SecretBytes(file.span))
      #expect(set.keys.map(\.isPrivate) == [true])
      return nil
    } catch { return error.code }
  }

  /// The base point belongs to 1, and by libcrypto's arithmetic also to n + 1.
  @Test func numbersAreLessThanTheOrder() throws {
    for file in try Self.files(Self.one()) { #expect(code(file) == nil) }
    for number in [try Self.order(plus: 1), [UInt8](repeating: 0, count: 32)] {
      for file in try Self.files(number) { #expect(code(file) == .keyPairMismatch) }
    }
  }

  /// Without a public key there is nothing that the number could contradict.
  @Test func numbersWithoutPublicKey() throws {
    func file(_ number: [UInt8]) throws -> [UInt8] {
      try Self.ecPrivateKey(number, curve: Self.p256, hasPoint: false)
    }
    #expect(code(try file(Self.order(plus: 0xFF))) == nil)
    #expect(code(try file(Self.order(plus: 1))) == .keyPairMismatch)
    #expect(code(try file([UInt8](repeating: 0xFF, count: 32))) == .keyPairMismatch)
  }

  /// A key in PKCS#8 names its curve once or twice (RFC 5915 section 3), but not two.
  @Test func twoCurvesAreRefused() throws {
    let key = try Self.ecPrivateKey(Self.one(), curve: Self.p256)
    #expect(code(Self.privateKeyInfo(key, curve: Self.p256)) == nil)
    #expect(code(Self.privateKeyInfo(key, curve: Self.secp256k1)) == .keyUnreadable)
    let other = try Self.ecPrivateKey(Self.one(), curve: Self.secp256k1)
    #expect(code(Self.privateKeyInfo(other, curve: Self.p256)) == .keyUnreadable)
  }
}

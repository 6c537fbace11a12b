internal import Testing
internal import TokenSecurityCrypto

/// Keys of purposes under one master key.
@Suite struct PurposeCiphersTests {
  private enum Purpose: Int, SealingPurpose {
    case first, second

    var info: StaticString { self == .first ? "first" : "second" }
  }

  private static func ciphers(_ master: UInt8) throws -> PurposeCiphers<Purpose> {
    try PurposeCiphers(master: SecretBytes([UInt8](repeating: master, count: 32).span))
  }

  private static func opened(
    _ sealed: [UInt8], by ciphers: PurposeCiphers<Purpose>, _ purpose: Purpose, _ name: String
  ) throws -> [UInt8]? {
    guard let secret = try ciphers.open(sealed.span, for: purpose, name: name) else { return nil }
    return secret.withBytes { [UInt8](unwipedCopy: $0) }
  }

  @Test func aSecretOpensForItsPurposeAndName() throws {
    let ciphers = try Self.ciphers(1)
    let bytes: [UInt8] = [1, 2, 3]
    let sealed = try ciphers.seal(SecretBytes(bytes.span), for: .first, name: "a")
    #expect(try Self.opened(sealed, by: Self.ciphers(1), .first, "a") == bytes)
    #expect(try Self.opened(sealed, by: ciphers, .second, "a") == nil)
    #expect(try Self.opened(sealed, by: ciphers, .first, "b") == nil)
    #expect(try Self.opened(sealed, by: Self.ciphers(2), .first, "a") == nil)
  }

  @Test(arguments: [0, 31, 33]) func theMasterKeyHas32Bytes(_ count: Int) {
    #expect(throws: CryptoError.wrongLength(expected: 32, actual: count)) {
      try PurposeCiphers<Purpose>(master: SecretBytes([UInt8](repeating: 1, count: count).span))
    }
  }
}

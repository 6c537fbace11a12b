internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Big integers, key derivation and authenticated encryption.
@Suite struct ModularGroupTests {
  private func secret(_ bytes: [UInt8]) -> SecretBytes { SecretBytes(bytes.span) }

  private func number(_ value: Int) throws -> Number { try Number([UInt8(value >> 8), UInt8(value & 0xFF)]) }

  private func value(_ number: borrowing Number) throws -> Int {
    try number.publicBytes(count: 8).reduce(0) { $0 << 8 | Int($1) }
  }

  /// Modulo a number that is small enough to check by hand.
  @Test func arithmeticThatCanBeCounted() throws {
    let group = try ModularGroup(modulus: [0, 0x03, 0xFB], generator: [0, 5])  // 1019, a safe prime
    #expect(group.modulus == [0x03, 0xFB] && group.generator == [5] && group.bits == 10 && group.size == 2)
    var power = 1
    for exponent in 0..<1_018 {
      #expect(try value(group.power(ofGenerator: number(exponent))) == power)
      power = power * 5 % 1_019
    }
    for (a, b) in [(0, 0), (1, 1_018), (1_018, 1_018), (500, 600), (3, 7)] {
      #expect(try value(group.product(number(a), number(b))) == a * b % 1_019)
      #expect(try value(group.sum(number(a), number(b))) == (a + b) % 1_019)
      #expect(try value(group.difference(number(a), number(b))) == (a - b + 1_019) % 1_019)
      #expect(try value(number(a).adding(productOf: number(b), number(a))) == a + a * b)
    }
    #expect(try value(group.remainder(number(65_535))) == 65_535 % 1_019)
    #expect(try group.primality() == .safePrime)
    #expect(try ModularGroup(modulus: [13], generator: [2]).primality() == .prime)
    #expect(try ModularGroup(modulus: [15], generator: [2]).primality() == .composite)
    for (range, bytes) in [
      (.zero, []), (.zero, [0]), (.zero, [3, 0xFB]), (.zero, [7, 0xF6]), (.trivial, [1]),
      (.trivial, [3, 0xFA]),
      (.inside, [2]), (.inside, [3, 0xF9]), (.outside, [3, 0xFC]), (.outside, [0xFF, 0xFF]),
    ] as [(ModularGroup.NumberRange, [UInt8])] {
      #expect(try group.range(of: bytes.span) == range)
    }
  }

  @Test func groupsThatCannotBe() {
    for (modulus, generator) in [([], [2]), ([0], [2]), ([4], [2]), ([7], [7]), ([7], [8])]
      as [([UInt8], [UInt8])]
    {
      #expect(throws: CryptoError.library("BN_MONT_CTX_set")) {
        try ModularGroup(modulus: modulus, generator: generator)
      }
    }
  }

  @Test func numbersThatDoNotFit() throws {
    let number = try Number([1, 0])
    #expect(throws: CryptoError.library("BN_bn2binpad")) { try number.publicBytes(count: 1) }
  }

  // RFC 5869, appendix A.1 and A.3 (with an empty salt).
  @Test func hkdf() throws {
    let input = secret([UInt8](repeating: 0x0B, count: 22))
    let salt = [UInt8](0...12)
    let info: StaticString = "\u{1}"
    let first = try KeyDerivation.hkdf(input, salt: salt.span, info: info, count: 42)
    // Computed with Python's hmac, since the RFC's info is not text.
    #expect(
      Hex.string(first.withBytes { [UInt8](unwipedCopy: $0) })
        == "f6c680b439a253c665334c0098b28d998b5c843639611f6882fd58e553368174e6e10c75e4420ef9eadb")
    let longer = secret([9, 9] + [UInt8](repeating: 0x0B, count: 22))
    let second = try KeyDerivation.hkdf(longer, from: 2, salt: salt.span, info: info, count: 42)
    #expect(first.withBytes { [UInt8](unwipedCopy: $0) } == second.withBytes { [UInt8](unwipedCopy: $0) })
    let empty: [UInt8] = []
    let none = try KeyDerivation.hkdf(input, salt: empty.span, info: "", count: 42)
    #expect(
      Hex.string(none.withBytes { [UInt8](unwipedCopy: $0) })
        == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8")
  }

  // The Galois/Counter Mode of Operation (McGrew, Viega), test cases 13 and 14.
  @Test func sealedMessages() throws {
    let cipher = try AuthenticatedCipher(key: secret([UInt8](repeating: 0, count: 32)))
    let none: [UInt8] = []
    let nonce = [UInt8](repeating: 0, count: 12)
    func opened(_ sealed: [UInt8], _ context: [UInt8]) throws -> [UInt8]? {
      guard let message = try cipher.open(sealed.span, context: context.span) else { return nil }
      return message.withBytes { [UInt8](unwipedCopy: $0) }
    }
    let first = nonce + (try Hex.decode("530f8afbc74536b9a963b4f1c4cb738b"))
    #expect(try opened(first, none) == [])
    let second =
      nonce + (try Hex.decode("cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"))
    #expect(try opened(second, none) == [UInt8](repeating: 0, count: 16))
    #expect(try opened(second, [1]) == nil)
    for bit in 0..<(second.count * 8) {
      var changed = second
      changed[bit / 8] ^= 1 << (bit % 8)
      #expect(try opened(changed, none) == nil)
    }
    for count in 0..<28 { #expect(try opened(Array(second.prefix(count)), none) == nil) }

    let message = secret([UInt8](0..<100))
    var seen: Set<[UInt8]> = []
    for context in [none, [1, 2, 3]] {
      let sealed = try cipher.seal(message, context: context.span)
      #expect(sealed.count == 100 + AuthenticatedCipher.overhead)
      #expect(try opened(sealed, context) == [UInt8](0..<100))
      #expect(try opened(sealed, [9]) == nil)
      seen.insert(Array(sealed.prefix(12)))
    }
    #expect(seen.count == 2)
    #expect(throws: CryptoError.wrongLength(expected: 32, actual: 16)) {
      _ = try AuthenticatedCipher(key: secret([UInt8](repeating: 0, count: 16)))
    }
  }

  /// The constant-time base64 gives the same result as the other.
  @Test func base64OfSecrets() {
    for count in 0..<100 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ count) }
      let text = SecretBytes(count: Base64.length(of: count)) { Base64.encode(secret: bytes.span, into: &$0) }
      #expect(
        text.withBytes { String(decoding: [UInt8](unwipedCopy: $0), as: UTF8.self) } == Base64.string(bytes))
    }
    let all = (0...255).map { UInt8($0) }
    let text = SecretBytes(count: Base64.length(of: 256)) { Base64.encode(secret: all.span, into: &$0) }
    #expect(
      text.withBytes { String(decoding: [UInt8](unwipedCopy: $0), as: UTF8.self) } == Base64.string(all))
  }
}

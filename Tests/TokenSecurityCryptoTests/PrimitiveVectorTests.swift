internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

@Suite struct PrimitiveVectorTests {
  private func hash(_ algorithm: DigestAlgorithm, _ bytes: [UInt8]) throws -> [UInt8] {
    try algorithm.hash(bytes.span)
  }

  private func hex(_ authenticator: MessageAuthenticator, _ message: [UInt8]) throws -> String {
    Hex.string(try authenticator.authenticate(message.span))
  }

  private func holds(
    _ authenticator: MessageAuthenticator, _ code: [UInt8], _ message: [UInt8]
  ) throws -> Bool {
    try authenticator.check(code.span, over: message.span)
  }

  private func holds(
    _ checker: SignatureChecker, _ signature: [UInt8], _ message: [UInt8]
  ) throws -> Bool {
    try checker.check(signature.span, over: message.span)
  }

  // FIPS 180-4's example messages, as NIST publishes them, and RFC 1321, A.5.
  @Test(arguments: [
    (DigestAlgorithm.md5, "900150983cd24fb0d6963f7d28e17f72"),
    (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      .sha384,
      "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
    ),
    (
      .sha512,
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
  ])
  func digestsOfABC(algorithm: DigestAlgorithm, digest: String) throws {
    #expect(try Hex.string(hash(algorithm, Array("abc".utf8))) == digest)
    #expect(algorithm.size * 2 == digest.count)
  }

  // RFC 4231, test cases 2 (short key) and 6 (key longer than a block).
  @Test(arguments: [
    (
      DigestAlgorithm.sha256, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
    (
      .sha384,
      "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649",
      "4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c60c2ef6ab4030fe8296248df163f44952"
    ),
    (
      .sha512,
      "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737",
      "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598"
    ),
  ])
  func hmac(digest: DigestAlgorithm, short: String, long: String) throws {
    for (key, message, code) in [
      (Array("Jefe".utf8), "what do ya want for nothing?", short),
      ([UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First", long),
    ] {
      let authenticator = try MessageAuthenticator(key: SecretBytes(key.span), digest: digest)
      for _ in 0..<3 {
        #expect(try hex(authenticator, Array(message.utf8)) == code)
      }
      var bytes = try Hex.decode(code)
      #expect(try holds(authenticator, bytes, Array(message.utf8)))
      bytes[digest.size - 1] ^= 1
      #expect(try !holds(authenticator, bytes, Array(message.utf8)))
    }
  }

  @Test(arguments: DigestAlgorithm.allCases) func piecesGiveWhatTheWholeGives(algorithm: DigestAlgorithm)
    throws
  {
    let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
    var running = try RunningDigest(algorithm)
    for size in [1, 63, 64, 300] {
      for start in stride(from: 0, to: bytes.count, by: size) {
        let piece = Array(bytes[start..<min(start + size, bytes.count)])
        try running.update(piece.span)
      }
      // It starts again after `finish`.
      #expect(try running.finish() == hash(algorithm, bytes))
    }
  }

  // n - 2 is the last candidate. It gives the key n - 1, whose point is the negative of the base point.
  @Test func keysByTrial() throws {
    let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
    func key(_ last: String) throws -> PrivateKey? {
      let bytes = try Hex.decode(order.dropLast(2) + last)
      return try PrivateKey(p256Candidate: SecretBytes(bytes.span))
    }
    #expect(try key("50") == nil)
    #expect(try key("51") == nil)
    let x = "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    let none = [UInt8](repeating: 0, count: 32)
    for candidate in [try key("4f"), try PrivateKey(p256Candidate: SecretBytes(none.span))] {
      guard case .ellipticCurve(.p256, let found, _)? = candidate?.publicKey.components else {
        Issue.record("no key")
        continue
      }
      #expect(Hex.string(found) == x)
    }
    #expect(throws: CryptoError.wrongLength(expected: 32, actual: 31)) {
      let short = [UInt8](repeating: 1, count: 31)
      return try PrivateKey(p256Candidate: SecretBytes(short.span))
    }
  }

  // RFC 2104 allows it. Callers of this module check the length of keys.
  @Test func hmacTakesAnEmptyKey() throws {
    let none: [UInt8] = []
    let authenticator = try MessageAuthenticator(key: SecretBytes(none.span), digest: .sha256)
    #expect(
      try hex(authenticator, [])
        == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
  }

  // RFC 8032 section 7.1 test 2 and section 7.4 test "1 octet".
  @Test func edwardsSignatures() throws {
    let cases: [(EdwardsCurve, String, String, String, String)] = [
      (
        .ed25519, "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
      ),
      (
        .ed448,
        "c4eab05d357007c632f3dbb48489924d552b08fe0c353a0d4a1f00acda2c463afbea67c5e8d2877c5e3bc397a659949ef8021e954e0a12274e",
        "43ba28f430cdff456ae531545f7ecd0ac834a55d9358c0372bfa0c6c6798c0866aea01eb00742802b8438ea4cb82169c235160627b4c3a9480",
        "03",
        "26b8f91727bd62897af15e41eb43c377efb9c610d48f2335cb0bd0087810f4352541b143c4b981b7e18f62de8ccdf633fc1bf037ab7cd779805e0dbcc0aae1cbcee1afb2e027df36bc04dcecbf154336c19f0af7e0a6472905e799f1953d2a0ff3348ab21aa4adafd1d234441cf807c03a00"
      ),
    ]
    for (curve, secret, point, message, signature) in cases {
      let bytes = try Hex.decode(secret)
      let key = try PrivateKey(curve: curve, secret: SecretBytes(bytes.span))
      #expect(key.publicKey.components == .edwards(curve, try Hex.decode(point)))
      let message = try Hex.decode(message)
      let made = try SignatureMaker(key: key, scheme: .eddsa(curve)).sign(message.span)
      #expect(Hex.string(made) == signature)
      let checker = try SignatureChecker(key: key.publicKey, scheme: .eddsa(curve))
      for _ in 0..<3 { #expect(try holds(checker, made, message)) }
      #expect(try !holds(checker, made, [1]))
    }
  }
}

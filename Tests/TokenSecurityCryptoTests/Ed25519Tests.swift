internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityVectorFiles

/// Signatures that verifiers disagree about. The verdicts are the same with libcrypto and with libsodium.
@Suite struct Ed25519Tests {
  static let cases = Result {
    try ["ed25519-speccheck", "ed25519"].flatMap { try VectorFile.load($0).cases }
  }

  @Test(arguments: try cases.get())
  func verdict(vector: VectorFile.Case) throws {
    try VectorFile.Case.check(vector.input, knows: ["key", "message", "signature"])
    let point = try bytes(vector, "key")
    guard vector.reject != "point_invalid" else {
      #expect(throws: CryptoError.invalidPoint) { try PublicKey(.edwards(.ed25519, point)) }
      return
    }
    if let code = vector.reject { #expect(code == "signature_invalid") }
    let signature = try bytes(vector, "signature")
    let message = try bytes(vector, "message")
    let checker = try SignatureChecker(
      key: PublicKey(.edwards(.ed25519, point)), scheme: .eddsa(.ed25519))
    for _ in 0..<2 {
      #expect(try checker.check(signature.span, over: message.span) == (vector.reject == nil))
    }
  }

  /// Every bit of a signature, of its message and of its key counts.
  @Test func everyChangedBitRefuses() throws {
    let vector = try #require(try Self.cases.get().first { $0.id.utf8.elementsEqual("valid".utf8) })
    let values = try [bytes(vector, "key"), bytes(vector, "message"), bytes(vector, "signature")]
    #expect(try isValid(values))
    for part in values.indices {
      for bit in 0..<values[part].count * 8 {
        var changed = values
        changed[part][bit / 8] ^= 1 << UInt8(bit % 8)
        #expect(try !isValid(changed), "bit \(bit) of part \(part)")
      }
    }
  }

  @Test(arguments: [0, 1, 63, 64, 127, 128, 1_000])
  func messagesOfAnySize(size: Int) throws {
    let key = try PrivateKey(generating: .edwards(.ed25519))
    let message = [UInt8](repeating: 0x5A, count: size)
    let signature = try SignatureMaker(key: key, scheme: .eddsa(.ed25519)).sign(message.span)
    let checker = try SignatureChecker(key: key.publicKey, scheme: .eddsa(.ed25519))
    #expect(try checker.check(signature.span, over: message.span))
    let longer = message + [0]
    #expect(try !checker.check(signature.span, over: longer.span))
  }

  @Test(arguments: [0, 32, 63, 65, 128]) func lengths(count: Int) throws {
    let key = try PrivateKey(generating: .edwards(.ed25519)).publicKey
    let checker = try SignatureChecker(key: key, scheme: .eddsa(.ed25519))
    let signature = [UInt8](repeating: 0, count: count)
    #expect(throws: CryptoError.wrongLength(expected: 64, actual: count)) {
      try checker.check(signature.span, over: signature.span)
    }
  }

  private func isValid(_ values: [[UInt8]]) throws -> Bool {
    let key: PublicKey
    do {
      key = try PublicKey(.edwards(.ed25519, values[0]))
    } catch CryptoError.invalidPoint {
      return false
    }
    let checker = try SignatureChecker(key: key, scheme: .eddsa(.ed25519))
    let (message, signature) = (values[1], values[2])
    return try checker.check(signature.span, over: message.span)
  }

  private func bytes(_ vector: VectorFile.Case, _ name: String) throws -> [UInt8] {
    try Hex.decode(try #require(vector.input[name]?.string))
  }
}

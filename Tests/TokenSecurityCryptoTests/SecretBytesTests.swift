internal import TokenSecurityCrypto
internal import Testing

@Suite struct SecretBytesTests {
  private func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    SecretBytes(a.span).isEqual(to: SecretBytes(b.span))
  }

  @Test func comparesAllBytes() {
    #expect(areEqual([1, 2, 3], [1, 2, 3]))
    #expect(!areEqual([1, 2, 3], [1, 2, 4]))
    #expect(!areEqual([1, 2, 3], [0, 2, 3]))
    #expect(!areEqual([1, 2, 3], [1, 2]))
    #expect(areEqual([], []))
  }

  @Test func takesBytesOutOfAnArray() {
    var bytes: [UInt8] = [9, 8, 7]
    let secret = SecretBytes(wiping: &bytes)
    let same = SecretBytes([9, 8, 7].span)
    let isSame = secret.isEqual(to: same)
    let isCloneSame = secret.clone().isEqual(to: secret)
    #expect(bytes.isEmpty)
    #expect(isSame)
    #expect(isCloneSame)
  }

  @Test func takesTextAndCollections() {
    let text = SecretBytes("pässword")
    let (same, other) = (text.isEqual(to: "pässword"), text.isEqual(to: "passwort"))
    // Another normal form has other bytes.
    let decomposed = text.isEqual(to: "p\u{61}\u{308}ssword")
    let bytes = SecretBytes("pässword".utf8)
    let areSame = bytes.isEqual(to: text)
    #expect(same && areSame && !other && !decomposed)
    let (read, empty) = (bytes.unwipedText(), SecretBytes("").unwipedText())
    #expect(read == "pässword" && empty == "")
    let binary = SecretBytes([0xFF, 0xFE]).unwipedText()
    #expect(binary == nil)
  }

  @Test func randomBytesDiffer() throws {
    let first = try SecretBytes.random(count: 32)
    let second = try SecretBytes.random(count: 32)
    let count = first.count
    let isSame = first.isEqual(to: second)
    #expect(count == 32)
    #expect(!isSame)
  }

  @Test func failedFillingThrowsOn() {
    struct Refusal: Error {}
    #expect(throws: Refusal.self) {
      _ = try SecretBytes(count: 4) { span throws(Refusal) in
        span[0] = 1
        throw Refusal()
      }
    }
  }
}

internal import Foundation
internal import Testing
internal import TokenSecurityBase

@Suite struct BaseEncodingTests {
  // RFC 4648 section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func standardVectors(text: String, encoded: String) throws {
    #expect(Base64.string(Array(text.utf8)) == encoded)
    #expect(try Base64.decode(encoded) == Array(text.utf8))
    let unpadded = encoded.replacingOccurrences(of: "=", with: "")
    #expect(Base64URL.string(Array(text.utf8)) == unpadded)
    #expect(try Base64URL.decode(unpadded) == Array(text.utf8))
  }

  @Test func agreesWithFoundationOnAllLengths() throws {
    var generator = SystemRandomNumberGenerator()
    for count in 0..<300 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let standard = Data(bytes).base64EncodedString()
      let url = standard.replacingOccurrences(of: "+", with: "-")
        .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
      #expect(Base64.string(bytes) == standard)
      #expect(Base64URL.string(bytes) == url)
      #expect(try Base64.decode(standard) == bytes)
      #expect(try Base64URL.decode(url) == bytes)
      #expect(try Hex.decode(Hex.string(bytes)) == bytes)
    }
  }

  @Test(arguments: [
    ("Zg==", BaseEncodingError.padding), ("Zm8=", .padding), ("Zh", .trailingBits),
    ("Zm9", .trailingBits), ("Z", .length(1)), ("Zm9vY", .length(5)), ("Zm9v YmFy", .whiteSpace(offset: 4)),
    ("Zm9\n", .whiteSpace(offset: 3)), ("Zm9+", .character(offset: 3)), ("Zm/v", .character(offset: 2)),
    ("Zé==", .character(offset: 1)), ("ZZZ*ZZ", .character(offset: 3)), ("ZZZZZ*", .character(offset: 5)),
    ("=", .padding), ("\0AAA", .character(offset: 0)),
  ])
  func urlRefuses(text: String, error: BaseEncodingError) {
    #expect(throws: error) { try Base64URL.decode(text) }
  }

  @Test(arguments: [
    ("Zg", BaseEncodingError.length(2)), ("Zg=", .length(3)), ("Zh==", .trailingBits), ("Z===", .padding),
    ("Zm9v\n", .length(5)), ("Zm9v\n   ", .whiteSpace(offset: 4)), ("Zm-v", .character(offset: 2)),
    ("====", .padding),
  ])
  func standardRefuses(text: String, error: BaseEncodingError) {
    #expect(throws: error) { try Base64.decode(text) }
  }

  @Test func everyTailOfBitsHasOneEncoding() {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    let two = alphabet.filter { (try? Base64URL.decode("A\($0)")) != nil }
    let three = alphabet.filter { (try? Base64URL.decode("AA\($0)")) != nil }
    #expect(two.count == 4)
    #expect(three.count == 16)
  }

  /// RFC 4648 section 10, in lower case, and texts of eight bytes and more.
  @Test(arguments: [
    ("", ""), ("f", "66"), ("fo", "666f"), ("foo", "666f6f"), ("foob", "666f6f62"), ("fooba", "666f6f6261"),
    ("foobar", "666f6f626172"), ("\u{0}\u{9}\n\u{1F} 09:azAZ\u{7F}", "00090a1f2030393a617a415a7f"),
    ("é\u{FFFF}", "c3a9efbfbf"),
  ])
  func hexDigits(text: String, digits: String) throws {
    #expect(Hex.string(Array(text.utf8)) == digits)
    #expect(try Hex.decode(digits) == Array(text.utf8))
  }

  @Test(arguments: [
    ("0", BaseEncodingError.length(1)), ("0g", .character(offset: 1)), (" 0", .whiteSpace(offset: 0)),
  ])
  func hexRefuses(text: String, error: BaseEncodingError) {
    #expect(throws: error) { try Hex.decode(text) }
  }

  @Test(arguments: 0..<40) func findsBytes(place: Int) {
    var bytes = [UInt8](repeating: 0x2D, count: 40)
    #expect(ByteSearch.firstIndex(of: 0x2E, in: bytes.span, from: 0) == nil)
    bytes[place] = 0x2E
    #expect(ByteSearch.firstIndex(of: 0x2E, in: bytes.span, from: 0) == place)
    #expect(ByteSearch.firstIndex(of: 0x2E, in: bytes.span, from: place + 1) == nil)
  }
}

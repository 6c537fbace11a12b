internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// The blocks of a PEM text (RFC 7468 section 2) in their order.
struct PEMBlocks {
  struct Block {
    let label: String
    fileprivate let start: Int
    fileprivate let end: Int
  }

  private let text: [UInt8]
  private var position = 0

  init(_ text: [UInt8]) { self.text = text }

  /// The next block; nil at the end.
  mutating func next() throws(JOSEError) -> Block? {
    guard let begin = find("-----BEGIN ", from: position),
      let labelEnd = find("-----", from: begin + 11), labelEnd - begin < 64
    else { return nil }
    let label = String(decoding: text[(begin + 11)..<labelEnd], as: UTF8.self)
    let start = labelEnd + 5
    guard let end = find("-----END ", from: start) else {
      throw .pem(rule: "a block has no END line")
    }
    let closing = Array(("-----END " + label + "-----").utf8)
    guard text.count >= end + closing.count, Array(text[end..<end + closing.count]) == closing else {
      throw .pem(rule: "a block's END line has another label than its BEGIN line")
    }
    position = end + closing.count
    return Block(label: label, start: start, end: end)
  }

  /// The bytes of a block. Line breaks and spaces are ignored.
  func decode(_ block: Block) throws(JOSEError) -> SecretBytes {
    var characters: [UInt8] = []
    characters.reserveCapacity(block.end - block.start)
    defer { _ = SecretBytes(wiping: &characters) }
    for character in text[block.start..<block.end] {
      switch character {
      case 0x20, 0x09, 0x0A, 0x0D: continue
      // RFC 1421's headers of a key that is encrypted in OpenSSL's old format.
      case UInt8(ascii: ":"): throw .keyEncrypted
      default: characters.append(character)
      }
    }
    do {
      var bytes = try Base64.decode(characters.span)
      return SecretBytes(wiping: &bytes)
    } catch {
      throw .pem(rule: "a block is not base64")
    }
  }

  private func find(_ marker: String, from start: Int) -> Int? {
    ByteSearch.firstIndex(of: marker, in: text.span, from: start)
  }
}

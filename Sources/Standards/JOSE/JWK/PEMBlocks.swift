internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The blocks of a PEM text (RFC 7468 section 2) in their order. Text around them is ignored.
///
/// Blocks begin at the start of a line. Only in a text without such a block they may begin elsewhere.
struct PEMBlocks {
  struct Block {
    let label: String
    fileprivate let start: Int
    fileprivate let end: Int
  }

  private static let begin = "-----BEGIN "

  private let text: [UInt8]
  private let areAtLineStarts: Bool
  private var position = 0

  init(_ text: [UInt8]) {
    self.text = text
    areAtLineStarts = Self.areIn(text.span)
  }

  /// True if a line of `text` begins with a block.
  static func areIn(_ text: borrowing Span<UInt8>) -> Bool {
    var offset = 0
    while let found = ByteSearch.firstIndex(of: begin, in: text, from: offset) {
      if isAtLineStart(found, text) { return true }
      offset = found + begin.utf8.count
    }
    return false
  }

  /// True if a block begins anywhere in `text`.
  static func areAnywhere(in text: borrowing Span<UInt8>) -> Bool {
    ByteSearch.firstIndex(of: begin, in: text, from: 0) != nil
  }

  /// True after a line break, the start of the text or a byte order mark, and blanks.
  private static func isAtLineStart(_ offset: Int, _ text: borrowing Span<UInt8>) -> Bool {
    var before = offset
    while before > 0, text[before - 1] == 0x20 || text[before - 1] == 0x09 { before -= 1 }
    return before == 0 || text[before - 1] == 0x0A || text[before - 1] == 0x0D
      || (before == 3 && ByteOrderMark.begins(text))
  }

  /// The next block; nil at the end.
  mutating func next() throws(JOSEError) -> Block? {
    while let found = find(Self.begin, from: position) {
      let labelStart = found + Self.begin.utf8.count
      position = labelStart
      guard !areAtLineStarts || Self.isAtLineStart(found, text.span) else { continue }
      guard let labelEnd = find("-----", from: labelStart) else { return nil }
      let label = text[labelStart..<labelEnd]
      guard label.count < 64, !label.contains(0x0A), !label.contains(0x0D) else { continue }
      return try block(String(decoding: label, as: UTF8.self), from: labelEnd + 5)
    }
    return nil
  }

  private mutating func block(_ label: String, from start: Int) throws(JOSEError) -> Block {
    guard let end = find("-----END ", from: start) else {
      throw .pem(rule: "a block has no END line")
    }
    let closing = Array(("-----END " + label + "-----").utf8)
    guard text.count >= end + closing.count, text[end..<end + closing.count].elementsEqual(closing) else {
      throw .pem(rule: "a block's END line has another label than its BEGIN line")
    }
    position = end + closing.count
    return Block(label: label, start: start, end: end)
  }

  /// The bytes of a block. Line breaks, blanks and header lines (RFC 1421 section 4.4) are ignored.
  func decode(_ block: Block) throws(JOSEError) -> SecretBytes {
    let body = try PEMHeaders.end(in: text[block.start..<block.end])
    var characters: [UInt8] = []
    characters.reserveCapacity(block.end - body)
    defer { _ = SecretBytes(wiping: &characters) }
    for character in text[body..<block.end] where !character.isPEMBlank { characters.append(character) }
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

extension UInt8 {
  /// True for a space, a tab and line breaks.
  var isPEMBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}

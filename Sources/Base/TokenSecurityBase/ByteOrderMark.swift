/// The byte order mark of UTF-8, EF BB BF, which some editors write before a text.
package enum ByteOrderMark {
  /// True if `text` begins with the mark.
  package static func begins(_ text: borrowing Span<UInt8>) -> Bool {
    text.count >= 3 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF
  }

  /// True if `text` begins with the mark of UTF-16 in either order.
  package static func beginsUTF16(_ text: borrowing Span<UInt8>) -> Bool {
    guard text.count >= 2 else { return false }
    return (text[0] == 0xFF && text[1] == 0xFE) || (text[0] == 0xFE && text[1] == 0xFF)
  }
}

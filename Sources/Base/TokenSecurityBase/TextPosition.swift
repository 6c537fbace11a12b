/// A place in a text that people write: a file of settings, a policy.
public struct TextPosition: Sendable, Hashable, CustomStringConvertible {
  /// The line, from 1.
  public let line: Int
  /// The character of the line, from 1.
  public let column: Int

  /// A place.
  ///
  /// - Parameters:
  ///   - line: the line, from 1.
  ///   - column: the character of the line, from 1.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// `line 3, column 15`.
  public var description: String { "line \(line), column \(column)" }

  /// The place of a byte. Lines end with a line feed; the bytes of one character count once.
  package init(ofByte offset: Int, in text: some Sequence<UInt8>) {
    var line = 1
    var column = 1
    for byte in text.prefix(max(0, offset)) {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    self.init(line: line, column: column)
  }
}

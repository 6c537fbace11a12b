internal import TokenSecurityBase

extension TextPattern {
  /// A pattern that is a sequence of texts and bracket expressions.
  ///
  /// An expression takes all characters that it can: the text after it must begin with none of them.
  ///
  /// - Parameters:
  ///   - printed: the pattern as messages print it.
  ///   - example: a text that matches.
  ///   - sequence: the texts and expressions, such as `[#"[\w-]+"#, ":", "[0-9a-f-]+"]`. An expression begins with `[`.
  public init(_ printed: String, example: String, sequence: [String]) {
    let pieces = sequence.map { Piece($0) }
    self.init(printed, example: example) { text in
      var offset = 0
      for piece in pieces where !piece.take(text, &offset) { return false }
      return offset == text.count
    }
  }

  private enum Piece: Sendable {
    case text([UInt8])
    case characters(CharacterClass?, isEmptyAllowed: Bool)

    init(_ text: String) {
      self =
        text.hasPrefix("[")
        ? .characters(CharacterClass(pattern: text), isEmptyAllowed: text.hasSuffix("*"))
        : .text(Array(text.utf8))
    }

    /// Moves the offset behind the piece; false where the text has something else.
    func take(_ text: borrowing Span<UInt8>, _ offset: inout Int) -> Bool {
      switch self {
      case .text(let bytes):
        guard text.count - offset >= bytes.count else { return false }
        for index in bytes.indices where text[offset + index] != bytes[index] { return false }
        offset += bytes.count
        return true
      case .characters(let characters, let isEmptyAllowed):
        let start = offset
        offset += characters?.prefix(text, from: start) ?? 0
        return offset > start || isEmptyAllowed
      }
    }
  }
}

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
      var place = 0
      for piece in pieces where !piece.take(text, &place) { return false }
      return place == text.count
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

    /// Moves the place behind the piece; false where the text has something else.
    func take(_ text: borrowing Span<UInt8>, _ place: inout Int) -> Bool {
      switch self {
      case .text(let bytes):
        guard text.count - place >= bytes.count else { return false }
        for index in bytes.indices where text[place + index] != bytes[index] { return false }
        place += bytes.count
        return true
      case .characters(let characters, let isEmptyAllowed):
        let start = place
        place += characters?.prefix(text, from: start) ?? 0
        return place > start || isEmptyAllowed
      }
    }
  }
}

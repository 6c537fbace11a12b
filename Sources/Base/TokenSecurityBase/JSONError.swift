/// Why a text is not JSON, or is JSON that the strict reader refuses.
///
/// Offsets are in bytes from the start of the text. Names of the text are bounded and escaped in sentences.
@nonexhaustive public enum JSONError: CodedError, Equatable {
  /// The text is empty or white space.
  case empty
  /// The text is larger than the limit; both in bytes.
  case tooLarge(size: Int, limit: Int)
  /// The text begins with a byte order mark (RFC 8259 section 8.1).
  case byteOrderMark
  /// The grammar expects something else.
  case syntax(offset: Int, expected: Expected)
  /// The value is followed by other text.
  case trailingData(offset: Int)
  /// A byte sequence that is not UTF-8 (RFC 3629), such as an overlong form or a surrogate.
  case invalidUTF8(offset: Int)
  /// A string has an unescaped control character.
  case controlCharacter(offset: Int)
  /// A backslash is not followed by a valid escape.
  case invalidEscape(offset: Int)
  /// A `\u` escape is half of a surrogate pair.
  case loneSurrogate(offset: Int)
  /// An object has the same name twice, compared after unescaping.
  case duplicateName(String, offset: Int)
  /// Arrays and objects are nested deeper than the limit. The offset is that of the first one beyond it.
  case nesting(limit: Int, offset: Int)

  /// The element that the grammar expected.
  public enum Expected: String, Sendable {
    case value = "a value"
    case name = "a name in double quotes"
    case colon = "a colon"
    case commaOrBrace = "a comma or a closing brace"
    case commaOrBracket = "a comma or a closing bracket"
    case digit = "a digit"
    case closingQuote = "a closing quote"
  }

  /// The stable codes. Codes keep their meaning; new ones may be added.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    case empty = "json_empty"
    case tooLarge = "json_too_large"
    case byteOrderMark = "json_byte_order_mark"
    case syntax = "json_syntax"
    case trailingData = "json_trailing_data"
    case invalidUTF8 = "json_invalid_utf8"
    case controlCharacter = "json_control_character"
    case invalidEscape = "json_invalid_escape"
    case loneSurrogate = "json_lone_surrogate"
    case duplicateName = "json_duplicate_name"
    case nesting = "json_nesting"
  }

  /// The code and the sentence of the error.
  public var details: (code: Code, sentence: String) { details(offset.map { "byte \($0)" } ?? "") }

  /// The sentence for a text that people read: with line and column in place of the byte.
  ///
  /// - Parameter text: the text that was refused.
  /// - Returns: the sentence.
  package func sentence(in text: some Sequence<UInt8>) -> String {
    details(offset.map { "\(TextPosition(ofByte: $0, in: text))" } ?? "").sentence
  }

  /// The offset of the byte at which the text is refused; nil where the text as a whole is.
  package var offset: Int? {
    switch self {
    case .syntax(let offset, _), .trailingData(let offset), .invalidUTF8(let offset),
      .controlCharacter(let offset), .invalidEscape(let offset), .loneSurrogate(let offset),
      .duplicateName(_, let offset), .nesting(_, let offset):
      offset
    case .empty, .tooLarge, .byteOrderMark: nil
    }
  }

  private func details(_ place: String) -> (code: Code, sentence: String) {
    switch self {
    case .empty: (.empty, "the JSON text is empty")
    case .tooLarge(let size, let limit):
      (.tooLarge, "the JSON text has \(size) bytes; at most \(limit) are allowed")
    case .byteOrderMark:
      (.byteOrderMark, "the JSON text begins with a byte order mark, which RFC 8259 forbids")
    case .syntax(_, let expected): (.syntax, "\(expected.rawValue) was expected at \(place)")
    case .trailingData: (.trailingData, "the JSON value is followed by other text at \(place)")
    case .invalidUTF8: (.invalidUTF8, "the JSON text is not UTF-8 at \(place)")
    case .controlCharacter: (.controlCharacter, "a string has an unescaped control character at \(place)")
    case .invalidEscape: (.invalidEscape, "a string has an invalid escape at \(place)")
    case .loneSurrogate: (.loneSurrogate, "a string has half of a surrogate pair at \(place)")
    case .duplicateName(let name, _):
      (.duplicateName, "the name \(name.quoted) occurs twice in one object, at \(place)")
    case .nesting(let limit, _): (.nesting, "arrays and objects are nested deeper than \(limit)")
    }
  }
}

/// A name or identifier that is compared, ordered and hashed by its UTF-8 bytes.
///
/// The key type of every `Dictionary` and `Set` of texts from outside, and the raw type of enumerations that
/// such texts select from. As a `String`, `K` would also match U+212A KELVIN SIGN.
public struct ExactString: Sendable, Hashable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible
{
  /// The text.
  public let text: String

  /// Wraps a text, without normalising it.
  ///
  /// - Parameter text: the text.
  public init(_ text: String) { self.text = text }

  /// Wraps a literal.
  ///
  /// - Parameter value: the literal.
  public init(stringLiteral value: String) { text = value }

  /// The text.
  public var description: String { text }

  /// Compares the bytes.
  public static func == (left: ExactString, right: ExactString) -> Bool {
    left.text.isIdentical(to: right.text)
  }
  /// Orders by the bytes.
  public static func < (left: ExactString, right: ExactString) -> Bool { left.text < right.text }
  /// Hashes the bytes. The hash of a `String` is the same for all texts that Unicode calls equal, so that a
  /// stranger could choose many that collide.
  public func hash(into hasher: inout Hasher) {
    let bytes = text.utf8.span
    // Safe: the bytes are read during the call only.
    unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    // No byte of UTF-8, so that texts hashed one after the other do not run together.
    hasher.combine(0xFF as UInt8)
  }
}

extension RawRepresentable where RawValue == ExactString {
  /// The case with this name, compared by bytes; nil if none has it.
  ///
  /// - Parameter name: the name in the protocol.
  public init?(name: String) { self.init(rawValue: ExactString(name)) }

  /// The case's name in the protocol.
  public var name: String { rawValue.text }
}

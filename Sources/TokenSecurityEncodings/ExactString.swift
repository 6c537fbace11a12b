/// A protocol's name or identifier: equal, ordered and hashed by its UTF-8 bytes.
///
/// The key type of every `Dictionary` and `Set` of texts from outside, and the raw type of every enumeration that such a
/// text selects from. `String` as a key would find `Kunden` under U+212A KELVIN SIGN followed by `unden`.
public struct ExactString: Sendable, Hashable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible
{
  /// The text as it was given.
  public let text: String

  /// Keeps `text` as it is, without normalising it.
  public init(_ text: String) { self.text = text }

  public init(stringLiteral value: String) { text = value }

  public var description: String { text }

  public static func == (left: ExactString, right: ExactString) -> Bool {
    left.text.isIdentical(to: right.text)
  }
  public static func < (left: ExactString, right: ExactString) -> Bool { left.text < right.text }
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension RawRepresentable where RawValue == ExactString {
  /// The case of this name, or nil. Names are compared by their bytes.
  public init?(name: String) { self.init(rawValue: ExactString(name)) }

  /// The case's name in the protocol.
  public var name: String { rawValue.text }
}

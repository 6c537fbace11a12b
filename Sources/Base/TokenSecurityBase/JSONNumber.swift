/// A JSON number, kept as text so that no digit is lost.
///
/// Numbers are equal if their texts are: `1` and `1.0` differ.
public struct JSONNumber: Sendable, Hashable, CustomStringConvertible {
  /// The number's text, in the grammar of RFC 8259 section 6.
  public let description: String

  /// A number from text that was checked.
  init(verified text: String) {
    description = text
  }

  /// A whole number.
  ///
  /// - Parameter value: the number.
  public init(_ value: some BinaryInteger) {
    description = String(value)
  }

  /// A number with a fraction; nil for infinity and NaN.
  ///
  /// - Parameter value: the number.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    description = value.description
  }

  /// The value; nil if it has a fraction or exponent or does not fit.
  public var int64: Int64? { Int64(description) }

  /// The nearest value; nil if out of range.
  public var double: Double? {
    guard let value = Double(description), value.isFinite else { return nil }
    return value
  }
}

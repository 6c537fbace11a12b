/// A JSON number as it was written, so that no digit is lost.
///
/// Two numbers are equal when they are written alike: `1` and `1.0` are not.
public struct JSONNumber: Sendable, Hashable, CustomStringConvertible {
  /// The number's text, in the grammar of RFC 8259 section 6.
  public let description: String

  /// A number from text that the reader has checked.
  init(verified text: String) {
    description = text
  }

  /// A whole number.
  public init(_ value: some BinaryInteger) {
    description = String(value)
  }

  /// A number with a fraction; nil where it is infinite or not a number, which JSON cannot say.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    description = value.description
  }

  /// The value where it is a whole number that fits, written without fraction or exponent.
  public var int64: Int64? { Int64(description) }

  /// The nearest value with a fraction, or nil where that is beyond what the type holds.
  public var double: Double? {
    guard let value = Double(description), value.isFinite else { return nil }
    return value
  }
}

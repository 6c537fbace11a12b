/// One value or member name of a JSON text, as a range of its bytes.
///
/// Nodes are in the order of the text. An object's node is followed by its first name, that name's value, the
/// next name and so on; `next` is the index after everything inside a value.
@usableFromInline
package struct JSONNode: Sendable, Hashable {
  @usableFromInline package enum Kind: UInt8, Sendable {
    case null
    case `false`
    case `true`
    case number
    case string
    case array
    case object
  }

  @usableFromInline package let kind: Kind
  /// True if a string contains a backslash.
  @usableFromInline package let isEscaped: Bool
  /// The first byte; for a string the one after the opening quote.
  @usableFromInline package let start: UInt32
  /// The byte after the last one; for a string the closing quote.
  @usableFromInline package internal(set) var end: UInt32
  /// The node after this value and everything inside it.
  @usableFromInline package internal(set) var next: UInt32

  init(kind: Kind, isEscaped: Bool, start: Int, end: Int) {
    self.kind = kind
    self.isEscaped = isEscaped
    self.start = UInt32(truncatingIfNeeded: start)
    self.end = UInt32(truncatingIfNeeded: end)
    next = 0
  }
}

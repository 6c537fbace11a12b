public import TokenSecurityBase

/// Parts of a request target that programs read in different ways.
public enum RequestAmbiguity: ExactString, Sendable, Hashable, CaseIterable {
  /// `%2F` or `%5C` in a path: a character of a segment, or a separator of segments.
  case encodedSlash
  /// `.` or `..` in a path with an encoded dot.
  case encodedDotSegment
  /// `+` in a path: a plus, or a space.
  case plusInPath
  /// `+` in a query: a plus, or a space.
  case plusInQuery
  /// `.` or `..` in a path, and an empty segment when the canonical form removes it: the signed path differs
  /// from the path that was sent.
  case dotSegment
  /// A space or a non-ASCII byte that should have been percent-encoded.
  case rawByte
}

public import TokenSecurityEncodings

/// What one program reads one way and another one another way.
public enum RequestAmbiguity: ExactString, Sendable, Hashable, CaseIterable {
  /// `%2F` or `%5C` in a path: a part of a segment, or a border between two.
  case encodedSlash
  /// `.` or `..` in a path with one of its dots encoded.
  case encodedDotSegment
  /// `+` in a path: a plus, or a space.
  case plusInPath
  /// `+` in a query: a plus, or a space.
  case plusInQuery
  /// `.` or `..` in a path; where they are removed before signing, also nothing between two slashes. What was signed
  /// is another path than the one that was sent.
  case dotSegment
  /// A byte that should have been encoded: a space, or one above ASCII.
  case rawByte
}

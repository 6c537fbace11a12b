internal import TokenSecurityBase

/// The path of a request as resources name it: percent-decoded, segment by segment.
///
/// A path that programs read in different ways is refused: policies would decide about one resource, and the application behind
/// would open another one.
package struct ResourcePath: Sendable, Hashable {
  /// The decoded segments. The last one is empty for a path that ends with a slash.
  package let segments: [String]

  /// - Parameter path: the path as it was sent, with its first slash.
  /// - Throws: `pathAmbiguous` for a segment with an encoded slash, backslash or control character; for a semicolon, where some
  ///   servers cut a segment; for `.` and `..`, also before an encoded semicolon; for an empty segment that is not the last; for
  ///   what is not UTF-8.
  package init(_ path: [UInt8]) throws(AccessMappingError) {
    guard path.first == UInt8(ascii: "/") else {
      throw .pathAmbiguous(segment: 0, rule: "does not begin with a slash")
    }
    let parts = path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    var segments: [String] = []
    segments.reserveCapacity(parts.count)
    for (index, part) in parts.enumerated() {
      func refusal(_ rule: String) -> AccessMappingError { .pathAmbiguous(segment: index + 1, rule: rule) }
      let bytes = part.span
      if bytes.count == 0, index + 1 < parts.count { throw refusal("is empty") }
      if part.contains(UInt8(ascii: ";")) { throw refusal("has a semicolon that is not encoded") }
      guard PercentEncoding.firstMalformed(bytes) == nil else { throw refusal("has a malformed escape") }
      let decoded = PercentEncoding.decode(bytes)
      if let rule = Self.ambiguity(of: decoded) { throw refusal(rule) }
      guard let text = String(validating: decoded, as: UTF8.self) else { throw refusal("is not UTF-8") }
      segments.append(text)
    }
    self.segments = segments
  }

  /// Checks the beginning of a path that is not percent-encoded, such as the prefix of a list: a program that keeps objects in
  /// folders reads it as a path.
  ///
  /// - Throws: `pathAmbiguous` as for a path.
  static func check(beginning: String) throws(AccessMappingError) {
    let parts = beginning.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      let rule = part.isEmpty && index + 1 < parts.count ? "is empty" : ambiguity(of: Array(part))
      if let rule { throw .pathAmbiguous(segment: index + 1, rule: rule) }
    }
  }

  /// What programs read in different ways in a decoded segment.
  private static func ambiguity(of segment: [UInt8]) -> String? {
    let hasOther = segment.contains { byte in
      byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
    }
    if hasOther { return "has a slash, a backslash or a control character" }
    return isDots(segment) ? "is a dot segment" : nil
  }

  /// The path without its first slash.
  package var text: String { segments.joined(separator: "/") }

  /// Whether the part before a semicolon is dots and blanks alone. One of parameters alone counts, too.
  private static func isDots(_ segment: [UInt8]) -> Bool {
    let name = segment.prefix { $0 != UInt8(ascii: ";") }
    guard !segment.isEmpty else { return false }
    return name.allSatisfy { $0 == UInt8(ascii: ".") || $0 == 0x20 }
  }
}

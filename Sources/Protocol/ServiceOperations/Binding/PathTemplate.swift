internal import TokenSecurityBase

/// A path with labels, split at slashes before its escapes are decoded.
struct PathTemplate: Sendable {
  enum Part: Sendable {
    case fixed(ExactString)
    case label(ExactString)
  }

  let parts: [Part]

  init(_ template: ExactString) {
    parts = template.text.parts(at: "/").dropFirst()
      .map { part in Self.label(part).map { .label(ExactString($0)) } ?? .fixed(ExactString(part)) }
  }

  /// The name in `{Name}`, or nil.
  static func label(_ part: String) -> String? {
    guard part.hasPrefix("{"), part.hasSuffix("}") else { return nil }
    return String(decoding: part.utf8.dropFirst().dropLast(), as: UTF8.self)
  }

  /// The labels' values in a path that matches, percent-encoded as they came; nil for another path.
  func match(_ segments: [ExactString]) -> [(name: ExactString, value: ExactString)]? {
    guard segments.count == parts.count else { return nil }
    var labels: [(ExactString, ExactString)] = []
    for (part, segment) in zip(parts, segments) {
      switch part {
      case .fixed(let text): guard text == segment else { return nil }
      case .label(let name):
        guard !segment.text.isEmpty else { return nil }
        labels.append((name, segment))
      }
    }
    return labels
  }

  /// True for a segment that is not a label's value: an empty one, and `.` and `..`, which programs between
  /// client and service remove together with what stands before them (RFC 3986 section 5.2.4).
  static func isRemovable(_ segment: String) -> Bool { segment.isEmpty || segment == "." || segment == ".." }
}

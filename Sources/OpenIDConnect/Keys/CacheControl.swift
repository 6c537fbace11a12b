internal import TokenSecurityEncodings

/// How long a response may be cached, by its headers (RFC 9111 section 5.2.2).
package struct CacheControl: Sendable, Hashable {
  /// `max-age` minus `Age`, in seconds; nil without `max-age`.
  package let freshSeconds: Int64?
  /// True for `no-store` and `no-cache`.
  package let forbidsCaching: Bool

  /// Parses the headers of a response. Malformed values are ignored; of several `max-age` the smallest
  /// counts.
  ///
  /// - Parameters:
  ///   - cacheControl: the header `Cache-Control`.
  ///   - age: the header `Age`.
  package init(cacheControl: String?, age: String?) {
    var smallest: Int64? = nil
    var forbids = false
    for directive in (cacheControl ?? "").utf8.split(separator: UInt8(ascii: ",")) {
      let parts = directive.split(separator: UInt8(ascii: "="), maxSplits: 1).map(Self.trimmed)
      switch parts.first.map({ String($0).lowercasedASCII }) {
      case "no-store", "no-cache": forbids = true
      case "max-age":
        guard parts.count == 2, let seconds = Self.seconds(parts[1]) else { continue }
        smallest = min(smallest ?? seconds, seconds)
      default: continue
      }
    }
    let spent = age.flatMap { Self.seconds(Self.trimmed($0.utf8[...])) } ?? 0
    freshSeconds = smallest.map { max(0, $0 - spent) }
    forbidsCaching = forbids
  }

  private static func trimmed(_ text: Substring.UTF8View) -> Substring {
    var text = text.drop { $0 == 0x20 || $0 == 0x09 }
    while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
    return Substring(text)
  }

  // RFC 9111 section 1.2.2: larger values count as 2^31; a quoted number is accepted.
  private static func seconds(_ text: Substring) -> Int64? {
    let quote = UInt8(ascii: "\"")
    var digits = text.utf8
    if digits.count >= 2, digits.first == quote, digits.last == quote {
      digits = digits.dropFirst().dropLast()
    }
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return min(Int64(Substring(digits)) ?? .max, 1 << 31)
  }
}

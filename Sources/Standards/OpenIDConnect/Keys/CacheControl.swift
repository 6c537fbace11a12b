internal import TokenSecurityBase

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
    for directive in Array((cacheControl ?? "").utf8).split(separator: UInt8(ascii: ",")) {
      let parts = directive.split(separator: UInt8(ascii: "="), maxSplits: 1).map(\.trimmingBlanks)
      switch parts.first.map({ String(decoding: $0, as: UTF8.self).lowercasedASCII }) {
      case "no-store", "no-cache": forbids = true
      case "max-age":
        guard parts.count == 2, let seconds = Self.seconds(parts[1]) else { continue }
        smallest = min(smallest ?? seconds, seconds)
      default: continue
      }
    }
    let spent = age.flatMap { Self.seconds(Array($0.utf8)[...].trimmingBlanks) } ?? 0
    freshSeconds = smallest.map { max(0, $0 - spent) }
    forbidsCaching = forbids
  }

  // RFC 9111 section 1.2.2: larger values count as 2^31; a quoted number is accepted.
  private static func seconds(_ text: ArraySlice<UInt8>) -> Int64? {
    let quote = UInt8(ascii: "\"")
    let isQuoted = text.count >= 2 && text.first == quote && text.last == quote
    let digits = isQuoted ? text.dropFirst().dropLast() : text
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return min(Int64(String(decoding: digits, as: UTF8.self)) ?? .max, 1 << 31)
  }
}

internal import TokenSecurityEncodings

/// What an answer says about how long it may be kept (RFC 9111 section 5.2.2).
package struct CacheControl: Sendable, Hashable {
  /// `max-age` less the answer's `Age`, in seconds; nil where the answer does not say.
  package let freshSeconds: Int64?
  /// True where the answer wants to be asked for again each time.
  package let mustNotBeKept: Bool

  /// Reads the fields of an answer. What cannot be read counts as not said; of several values the smallest.
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
    mustNotBeKept = forbids
  }

  private static func trimmed(_ text: Substring.UTF8View) -> Substring {
    var text = text.drop { $0 == 0x20 || $0 == 0x09 }
    while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
    return Substring(text)
  }

  // RFC 9111 section 1.2.2: what is too large counts as 2^31; a quoted number is read as well.
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

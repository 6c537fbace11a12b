internal import TokenLifetime
internal import TokenSecurityBase

/// The forms of dates in policies: those of the W3C's note on ISO 8601, and seconds since 1970.
enum PolicyDate {
  /// Reads a date: `2026`, `2026-09`, `2026-09-05`, `2026-09-05T09:03Z`, `2026-09-05T09:03:07.5+02:00`, or seconds since 1970. Four
  /// digits are a year. Nil for any other text.
  static func read(_ text: String) -> Timestamp? {
    let bytes = Array(text.utf8)
    switch bytes.count {
    case 4:
      guard let year = number(bytes[...]) else { return epoch(text) }
      return instant(year: year, month: 1, day: 1)
    case 7 where bytes[4] == UInt8(ascii: "-"):
      guard let year = number(bytes[..<4]), let month = number(bytes[5...]) else { return nil }
      return instant(year: year, month: month, day: 1)
    case 10 where bytes[4] == UInt8(ascii: "-"):
      guard bytes[7] == UInt8(ascii: "-"), let year = number(bytes[..<4]), let month = number(bytes[5..<7]),
        let day = number(bytes[8...])
      else { return nil }
      return instant(year: year, month: month, day: day)
    default: break
    }
    guard bytes.count > 16, bytes[10] == UInt8(ascii: "T") else { return epoch(text) }
    // A time without seconds is one with the second 0.
    guard bytes[16] != UInt8(ascii: ":") else { return Timestamp(rfc3339: text) }
    return Timestamp(
      rfc3339: String(decoding: bytes[..<16] + ":00".utf8 + bytes[16...], as: UTF8.self))
  }

  private static func instant(year: Int64, month: Int64, day: Int64) -> Timestamp? {
    guard let date = GregorianDate(year: year, month: month, day: day) else { return nil }
    return date.seconds(hour: 0, minute: 0, second: 0).flatMap { Timestamp(seconds: $0, nanoseconds: 0) }
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  /// Seconds since 1970, perhaps negative and with a fraction of up to nine digits.
  private static func epoch(_ text: String) -> Timestamp? {
    let parts = text.parts(at: ".", most: 2)
    guard let whole = parts.first, !whole.hasPrefix("+"), let seconds = Int64(whole), whole != "-0" else {
      return nil
    }
    guard parts.count == 2 else { return Timestamp(seconds: seconds, nanoseconds: 0) }
    let digits = Array(parts[1].utf8)
    guard (1...9).contains(digits.count), seconds >= 0, !whole.hasPrefix("-"),
      let fraction = number(digits[...])
    else { return nil }
    let scale = (digits.count..<9).reduce(Int64(1)) { scale, _ in scale * 10 }
    return Timestamp(seconds: seconds, nanoseconds: Int32(fraction * scale))
  }
}

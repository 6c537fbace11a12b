public import TokenSecurityBase

// Instants as JSON numbers, which RFC 7519 calls NumericDate.
extension Timestamp {
  /// Reads a JSON number exactly, with a fraction or exponent. Digits below a nanosecond are dropped. Nil
  /// outside the years 1 to 9999.
  ///
  /// - Parameter number: seconds since 1970.
  public init?(_ number: JSONNumber) {
    self.init(text: number.description.utf8.span)
  }

  // Decimal arithmetic on the text: a Double would round 1700000000.1 and make 1e400 infinite.
  private init?(text: borrowing Span<UInt8>) {
    var position = 0
    let isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
    if isNegative { position = 1 }
    var digits: [UInt8] = []
    var point: Int? = nil
    var exponent = 0
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: "."): point = digits.count
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        exponent = Self.exponent(text, from: position + 1)
        position = text.count
      default: digits.append(text[position] &- UInt8(ascii: "0"))
      }
      position += 1
    }
    guard digits.contains(where: { $0 != 0 }) else {
      self.init(seconds: 0)
      return
    }
    let pointPosition = (point ?? digits.count) + exponent
    guard let firstDigit = digits.firstIndex(where: { $0 != 0 }), pointPosition - firstDigit <= 13
    else { return nil }
    func digit(_ index: Int) -> Int64 {
      digits.indices.contains(index) ? Int64(digits[index]) : 0
    }
    var seconds: Int64 = 0
    for index in firstDigit..<max(firstDigit, pointPosition) { seconds = seconds * 10 + digit(index) }
    var nanoseconds: Int64 = 0
    for index in pointPosition..<pointPosition + 9 { nanoseconds = nanoseconds * 10 + digit(index) }
    if isNegative {
      seconds = -seconds
      if nanoseconds > 0 {
        seconds -= 1
        nanoseconds = 1_000_000_000 - nanoseconds
      }
    }
    self.init(seconds: seconds, nanoseconds: Int32(nanoseconds))
  }

  /// An exponent, limited to ±100,000: every date beyond that is out of range.
  private static func exponent(_ text: borrowing Span<UInt8>, from start: Int) -> Int {
    var position = start
    var isNegative = false
    if position < text.count, text[position] == UInt8(ascii: "-") {
      isNegative = true
      position += 1
    } else if position < text.count, text[position] == UInt8(ascii: "+") {
      position += 1
    }
    var value = 0
    while position < text.count {
      value = min(value * 10 + Int(text[position] &- UInt8(ascii: "0")), 100_000)
      position += 1
    }
    return isNegative ? -value : value
  }
}

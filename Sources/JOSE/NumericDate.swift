public import TokenLifetime
public import TokenSecurityEncodings

/// RFC 7519's name for an instant in JSON: seconds since 1970, with an optional fraction.
public typealias NumericDate = Timestamp

extension Timestamp {
  /// Reads a JSON number exactly, with a fraction or exponent. Digits below a nanosecond are dropped. Nil
  /// outside the years 1 to 9999.
  ///
  /// - Parameter number: seconds since 1970.
  public init?(_ number: JSONNumber) {
    self.init(text: number.description.utf8.span)
  }

  /// Reads the number at `place`, the value of the claim called `name`.
  ///
  /// - Throws: `claimType`, `dateOutOfRange`.
  init(_ document: borrowing JSONDocument, at place: Int, name: String) throws(JOSEError) {
    guard document.kind(at: place) == .number else {
      throw .claimType(name: name, expected: "a number of seconds since 1970")
    }
    if let seconds = document.withBytes(at: place, { Self.wholeSeconds($0) }) {
      self.init(seconds: seconds)
      return
    }
    guard let date = document.number(at: place).flatMap(Timestamp.init) else {
      throw .dateOutOfRange(name: name)
    }
    self = date
  }

  /// The value of at most eleven digits, nil for other text: dates between 1973 and 2286 have nine or ten.
  @inline(__always)
  private static func wholeSeconds(_ text: borrowing Span<UInt8>) -> Int64? {
    guard text.count <= 11 else { return nil }
    var seconds: Int64 = 0
    for index in text.indices {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      seconds = seconds &* 10 &+ Int64(digit)
    }
    return seconds
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
    let pointPlace = (point ?? digits.count) + exponent
    guard let firstDigit = digits.firstIndex(where: { $0 != 0 }), pointPlace - firstDigit <= 13
    else { return nil }
    func digit(_ index: Int) -> Int64 {
      digits.indices.contains(index) ? Int64(digits[index]) : 0
    }
    var seconds: Int64 = 0
    for index in firstDigit..<max(firstDigit, pointPlace) { seconds = seconds * 10 + digit(index) }
    var nanoseconds: Int64 = 0
    for index in pointPlace..<pointPlace + 9 { nanoseconds = nanoseconds * 10 + digit(index) }
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

  /// The date as a JSON number.
  public var json: JSONValue {
    guard nanoseconds != 0 else { return .number(JSONNumber(seconds)) }
    let value = Double(seconds) + Double(nanoseconds) / 1e9
    return .number(JSONNumber(value) ?? JSONNumber(seconds))
  }
}

extension Timestamp: Codable {
  /// Decodes a number of seconds since 1970, as in a token.
  ///
  /// - Parameter decoder: the decoder.
  /// - Throws: `DecodingError` for other values and for dates outside the years 1 to 9999.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let date =
      if let whole = try? container.decode(Int64.self) {
        Timestamp(seconds: whole, nanoseconds: 0)
      } else {
        JSONNumber(try container.decode(Double.self)).flatMap(Timestamp.init)
      }
    guard let date else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "the date is outside the years 1 to 9999")
    }
    self = date
  }

  /// Encodes the date as a number of seconds since 1970.
  ///
  /// - Parameter encoder: the encoder.
  /// - Throws: the errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if nanoseconds == 0 {
      try container.encode(seconds)
    } else {
      try container.encode(Double(seconds) + Double(nanoseconds) / 1e9)
    }
  }
}

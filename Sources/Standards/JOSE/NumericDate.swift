public import TokenLifetime
public import TokenSecurityBase

/// RFC 7519's name for an instant in JSON: seconds since 1970, with an optional fraction.
public typealias NumericDate = Timestamp

extension Timestamp {
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

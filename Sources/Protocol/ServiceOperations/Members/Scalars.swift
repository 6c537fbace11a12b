internal import TokenSecurityBase

// Texts, whole numbers, booleans, instants and choices as members.

extension Members {
  /// Records that a value has another type than the scalar type of its member.
  mutating func mismatch(at place: MemberPlace, type: String) {
    mismatch(at: place, input.conversion(of: place, to: type))
  }
}

extension String: MemberValue {
  /// The kind of such members.
  ///
  /// - Parameter bounds: the bounds.
  /// - Returns: the kind.
  public static func kind(_ bounds: TextBounds) -> MemberKind { .text(bounds) }
  /// The constraints of such members.
  ///
  /// - Parameter bounds: the bounds.
  /// - Returns: the constraints.
  public static func constraints(_ bounds: TextBounds) -> [String] { bounds.constraints }

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - place: the value in the request.
  ///   - bounds: the bounds.
  ///   - m: the request.
  /// - Returns: the value, or nil.
  public static func read(_ place: MemberPlace, _ bounds: TextBounds, from m: inout Members) -> String? {
    guard let text = m.input.text(place) else {
      m.mismatch(at: place, type: "a String")
      return nil
    }
    let broken = bounds.broken(by: text.utf8.span)
    guard broken.isEmpty else {
      m.record(broken, at: place, isSensitive: bounds.isSensitive)
      return nil
    }
    return text
  }

  /// Writes the text.
  ///
  /// - Parameters:
  ///   - bounds: the bounds.
  ///   - m: the output.
  public func write(_ bounds: TextBounds, to m: inout Members) {
    m.output.text(bounds.isSensitive && m.output.isRedacting ? "***" : self)
  }
}

extension Int64: MemberValue {
  /// The kind of such members.
  ///
  /// - Parameter bounds: the bounds.
  /// - Returns: the kind.
  public static func kind(_ bounds: IntegerBounds) -> MemberKind { .integer(bounds) }
  /// The constraints of such members.
  ///
  /// - Parameter bounds: the bounds.
  /// - Returns: the constraints.
  public static func constraints(_ bounds: IntegerBounds) -> [String] { bounds.constraints }

  /// Reads a whole number, without fraction and exponent.
  ///
  /// - Parameters:
  ///   - place: the value in the request.
  ///   - bounds: the bounds.
  ///   - m: the request.
  /// - Returns: the value, or nil.
  public static func read(_ place: MemberPlace, _ bounds: IntegerBounds, from m: inout Members) -> Int64? {
    guard let value = m.input.integer(place), bounds.isLong || Int32(exactly: value) != nil else {
      m.mismatch(at: place, type: bounds.isLong ? "a Long" : "an Integer")
      return nil
    }
    let broken = bounds.broken(by: value)
    guard broken.isEmpty else {
      m.record(broken, at: place, isSensitive: false)
      return nil
    }
    return value
  }

  /// Writes the number.
  ///
  /// - Parameters:
  ///   - bounds: the bounds.
  ///   - m: the output.
  public func write(_ bounds: IntegerBounds, to m: inout Members) { m.output.plain("\(self)") }
}

extension Bool: MemberValue {
  /// The kind of such members.
  ///
  /// - Parameter bounds: the bounds.
  /// - Returns: the kind.
  public static func kind(_ bounds: NoBounds) -> MemberKind { .boolean }
  /// None.
  ///
  /// - Parameter bounds: the bounds.
  /// - Returns: the constraints.
  public static func constraints(_ bounds: NoBounds) -> [String] { [] }

  /// Reads a boolean.
  ///
  /// - Parameters:
  ///   - place: the value in the request.
  ///   - bounds: the bounds.
  ///   - m: the request.
  /// - Returns: the value, or nil.
  public static func read(_ place: MemberPlace, _ bounds: NoBounds, from m: inout Members) -> Bool? {
    guard let value = m.input.boolean(place) else {
      m.mismatch(at: place, type: "a Boolean")
      return nil
    }
    return value
  }

  /// Writes the boolean.
  ///
  /// - Parameters:
  ///   - bounds: the bounds.
  ///   - m: the output.
  public func write(_ bounds: NoBounds, to m: inout Members) { m.output.plain(self ? "true" : "false") }
}

extension Timestamp: MemberValue {
  /// The kind of such members.
  ///
  /// - Parameter bounds: the bounds.
  /// - Returns: the kind.
  public static func kind(_ bounds: NoBounds) -> MemberKind { .timestamp }
  /// None.
  ///
  /// - Parameter bounds: the bounds.
  /// - Returns: the constraints.
  public static func constraints(_ bounds: NoBounds) -> [String] { [] }

  /// Reads an instant: seconds since 1970 with a fraction, or RFC 3339 in a form.
  ///
  /// - Parameters:
  ///   - place: the value in the request.
  ///   - bounds: the bounds.
  ///   - m: the request.
  /// - Returns: the value, or nil.
  public static func read(_ place: MemberPlace, _ bounds: NoBounds, from m: inout Members) -> Timestamp? {
    let value =
      m.input.number(place).map { Timestamp($0) }
      ?? (m.input.isField(place) ? m.input.text(place).flatMap(Timestamp.init(rfc3339:)) : nil)
    guard let value else {
      m.mismatch(at: place, type: "milliseconds since epoch")
      return nil
    }
    return value
  }

  /// Writes the instant.
  ///
  /// - Parameters:
  ///   - bounds: the bounds.
  ///   - m: the output.
  public func write(_ bounds: NoBounds, to m: inout Members) {
    m.output.instant(seconds: Self.decimal(self), text: description)
  }

  /// Seconds since 1970 with a fraction of up to nine digits.
  private static func decimal(_ instant: Timestamp) -> String {
    guard instant.nanoseconds != 0 else { return "\(instant.seconds)" }
    let isNegative = instant.seconds < 0
    // `seconds` is rounded down, so the fraction of a negative number is counted from the next second.
    let whole = isNegative ? -(instant.seconds + 1) : instant.seconds
    let fraction = isNegative ? 1_000_000_000 - instant.nanoseconds : instant.nanoseconds
    var digits = String(String(1_000_000_000 + Int64(fraction)).dropFirst())
    while digits.utf8.last == UInt8(ascii: "0") { digits.removeLast() }
    return "\(isNegative ? "-" : "")\(whole).\(digits)"
  }
}

extension MemberChoice {
  /// The kind of such members.
  ///
  /// - Parameter bounds: the bounds.
  /// - Returns: the kind.
  public static func kind(_ bounds: NoBounds) -> MemberKind { .choice(allCases.map(\.rawValue)) }
  /// The constraints of such members.
  ///
  /// - Parameter bounds: the bounds.
  /// - Returns: the constraints.
  public static func constraints(_ bounds: NoBounds) -> [String] { [Constraint.choice(allCases.map(\.name))] }

  /// Reads one of the texts.
  ///
  /// - Parameters:
  ///   - place: the value in the request.
  ///   - bounds: none.
  ///   - m: the request.
  /// - Returns: the case, or nil.
  public static func read(_ place: MemberPlace, _ bounds: NoBounds, from m: inout Members) -> Self? {
    guard let text = m.input.text(place) else {
      m.mismatch(at: place, type: "a String")
      return nil
    }
    guard let value = Self(name: text) else {
      let isSkipped = m.skipsUnknownChoices && (m.isElement || m.isOptional)
      if !isSkipped { m.record(constraints(bounds), at: place, isSensitive: false) }
      return nil
    }
    return value
  }

  /// Writes the text.
  ///
  /// - Parameters:
  ///   - bounds: none.
  ///   - m: the output.
  public func write(_ bounds: NoBounds, to m: inout Members) { m.output.text(name) }
}

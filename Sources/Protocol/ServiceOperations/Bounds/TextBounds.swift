internal import TokenSecurityBase

/// The bounds of a text: its length, its pattern, and whether messages may show its value.
public struct TextBounds: Sendable {
  /// The unit of a length.
  public enum Unit: Sendable, Hashable {
    /// Unicode scalars.
    case characters
    /// Bytes of UTF-8.
    case bytes
  }

  /// The shortest length.
  public let minimum: Int
  /// The greatest length; nil where only the body's size limits it.
  public let maximum: Int?
  /// The unit of the length.
  public let unit: Unit
  /// The pattern, or nil.
  public let pattern: TextPattern?
  /// True where messages and descriptions leave the value out.
  public private(set) var isSensitive = false

  /// Any text.
  public static let any = TextBounds(minimum: 0, maximum: nil, .characters, nil)

  /// Bounds.
  ///
  /// - Parameters:
  ///   - length: the lengths.
  ///   - pattern: the pattern. Default: none.
  ///   - unit: what the length counts.
  public init(_ length: ClosedRange<Int>, _ pattern: TextPattern? = nil, in unit: Unit = .characters) {
    self.init(minimum: length.lowerBound, maximum: length.upperBound, unit, pattern)
  }

  /// Bounds without a shortest length.
  ///
  /// - Parameters:
  ///   - length: the lengths.
  ///   - pattern: the pattern. Default: none.
  ///   - unit: what the length counts.
  public init(_ length: PartialRangeThrough<Int>, _ pattern: TextPattern? = nil, in unit: Unit = .characters)
  {
    self.init(minimum: 0, maximum: length.upperBound, unit, pattern)
  }

  /// Bounds without a length of their own.
  ///
  /// - Parameter pattern: the pattern.
  public init(_ pattern: TextPattern) { self.init(minimum: 0, maximum: nil, .characters, pattern) }

  private init(minimum: Int, maximum: Int?, _ unit: Unit, _ pattern: TextPattern?) {
    self.minimum = minimum
    self.maximum = maximum
    self.unit = unit
    self.pattern = pattern
  }

  /// The same bounds for a value that messages and descriptions leave out.
  public var sensitive: TextBounds {
    var copy = self
    copy.isSensitive = true
    return copy
  }

  /// True if a text is within the bounds.
  ///
  /// - Parameter text: a text.
  /// - Returns: true if it is.
  public func allows(_ text: String) -> Bool { broken(by: text.utf8.span).isEmpty }

  /// The constraints that a text breaks, in their order.
  func broken(by text: borrowing Span<UInt8>) -> [String] {
    // A text has at most as many characters as bytes, and at least a quarter as many: most need no counting.
    let isCounted =
      unit == .characters && (maximum.map { text.count > $0 } ?? false || (text.count + 3) / 4 < minimum)
    let count = isCounted ? Self.characters(of: text) : text.count
    let isLong = maximum.map { count > $0 } ?? false
    let isShort = count < minimum
    let isOther = pattern.map { !$0.matches(text) } ?? false
    guard isLong || isShort || isOther else { return [] }
    return constraints(isLong, isShort, isOther)
  }

  /// Every byte of UTF-8 but continuations begins a character.
  private static func characters(of text: borrowing Span<UInt8>) -> Int {
    var count = text.count
    for index in text.indices where text[index] & 0xC0 == 0x80 { count &-= 1 }
    return count
  }

  /// All constraints, as messages about elements of lists and maps print them.
  var constraints: [String] { constraints(maximum != nil, maximum != nil || minimum > 0, pattern != nil) }

  private func constraints(_ long: Bool, _ short: Bool, _ other: Bool) -> [String] {
    var all: [String] = []
    if long, let maximum { all.append(Constraint.length(atMost: maximum)) }
    if short { all.append(Constraint.length(atLeast: minimum)) }
    if other, let pattern { all.append(Constraint.pattern(pattern.description)) }
    return all
  }
}

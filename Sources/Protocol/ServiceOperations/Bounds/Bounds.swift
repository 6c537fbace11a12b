/// The bounds of a member that has none.
public struct NoBounds: Sendable {
  /// No bounds.
  public init() {}
}

/// The bounds of a whole number.
public struct IntegerBounds: Sendable {
  /// The smallest value, or nil.
  public let minimum: Int64?
  /// The greatest value, or nil.
  public let maximum: Int64?
  /// True for 64 bits, false for 32: the name of the type in messages, and its range.
  public let isLong: Bool

  private init(_ minimum: Int64?, _ maximum: Int64?, isLong: Bool) {
    self.minimum = minimum
    self.maximum = maximum
    self.isLong = isLong
  }

  /// Any number of 32 bits.
  public static let integer = IntegerBounds(nil, nil, isLong: false)
  /// Any number of 64 bits.
  public static let long = IntegerBounds(nil, nil, isLong: true)

  /// A number of 32 bits in a range.
  ///
  /// - Parameter range: the values.
  /// - Returns: the bounds.
  public static func integer(_ range: ClosedRange<Int64>) -> IntegerBounds {
    IntegerBounds(range.lowerBound, range.upperBound, isLong: false)
  }

  /// A number of 32 bits, at least `range.lowerBound`.
  ///
  /// - Parameter range: the values.
  /// - Returns: the bounds.
  public static func integer(_ range: PartialRangeFrom<Int64>) -> IntegerBounds {
    IntegerBounds(range.lowerBound, nil, isLong: false)
  }

  /// A number of 64 bits in a range.
  ///
  /// - Parameter range: the values.
  /// - Returns: the bounds.
  public static func long(_ range: ClosedRange<Int64>) -> IntegerBounds {
    IntegerBounds(range.lowerBound, range.upperBound, isLong: true)
  }

  /// The constraints that a value breaks.
  func broken(by value: Int64) -> [String] {
    var all: [String] = []
    if let maximum, value > maximum { all.append(Constraint.value(atMost: maximum)) }
    if let minimum, value < minimum { all.append(Constraint.value(atLeast: minimum)) }
    return all
  }

  /// All constraints.
  var constraints: [String] {
    var all: [String] = []
    if let maximum { all.append(Constraint.value(atMost: maximum)) }
    if let minimum { all.append(Constraint.value(atLeast: minimum)) }
    return all
  }
}

/// How many elements a list or map may have.
public struct CountBounds: Sendable, Hashable {
  /// The smallest number.
  public let minimum: Int
  /// The greatest number.
  public let maximum: Int
  /// True where the maximum is this implementation's, because the service's model has none.
  public let isOwnLimit: Bool

  /// The limit of lists and maps that the service's model leaves unbounded.
  public static let ownLimit = 1_000

  /// Bounds of a number that is not a member's.
  ///
  /// - Parameter range: the numbers.
  package init(_ range: ClosedRange<Int>) { self.init(range, ownLimit: range.upperBound) }

  init(_ range: ClosedRange<Int>?, ownLimit: Int) {
    minimum = range?.lowerBound ?? 0
    maximum = range?.upperBound ?? ownLimit
    isOwnLimit = range == nil
  }

  /// The constraints that a number of elements breaks.
  func broken(by count: Int) -> [String] {
    if count > maximum { return [Constraint.length(atMost: maximum)] }
    return count < minimum ? [Constraint.length(atLeast: minimum)] : []
  }
}

/// The bounds of a list.
public struct ListBounds<Element: Sendable>: Sendable {
  /// The bounds of each element.
  public let elements: Element
  /// How many elements it may have.
  public let count: CountBounds

  /// Bounds of a list.
  ///
  /// - Parameters:
  ///   - count: how many elements. Nil: the service's model has no bound, and `ownLimit` applies.
  ///   - elements: the bounds of each element.
  ///   - ownLimit: the most elements where the model has no bound.
  public init(
    _ count: ClosedRange<Int>? = nil, of elements: Element, ownLimit: Int = CountBounds.ownLimit
  ) {
    self.elements = elements
    self.count = CountBounds(count, ownLimit: ownLimit)
  }
}

extension ListBounds<NoBounds> {
  /// Bounds of a list of structures.
  ///
  /// - Parameters:
  ///   - count: how many elements. Nil: the service's model has no bound, and `ownLimit` applies.
  ///   - ownLimit: the most elements where the model has no bound.
  public init(_ count: ClosedRange<Int>? = nil, ownLimit: Int = CountBounds.ownLimit) {
    self.init(count, of: NoBounds(), ownLimit: ownLimit)
  }
}

/// The bounds of a map.
public struct MapBounds<Value: Sendable>: Sendable {
  /// The bounds of each key.
  public let keys: TextBounds
  /// The bounds of each value.
  public let values: Value
  /// How many entries it may have.
  public let count: CountBounds
  /// True where messages leave the whole map out.
  public let isSensitive: Bool

  /// Bounds of a map.
  ///
  /// - Parameters:
  ///   - count: how many entries. Nil: the service's model has no bound, and `ownLimit` applies.
  ///   - keys: the bounds of each key.
  ///   - values: the bounds of each value.
  ///   - ownLimit: the most entries where the model has no bound.
  ///   - isSensitive: true where messages leave the whole map out.
  public init(
    _ count: ClosedRange<Int>? = nil, keys: TextBounds, values: Value, ownLimit: Int = CountBounds.ownLimit,
    isSensitive: Bool = false
  ) {
    self.keys = keys
    self.values = values
    self.count = CountBounds(count, ownLimit: ownLimit)
    self.isSensitive = isSensitive
  }
}

extension MapBounds<NoBounds> {
  /// Bounds of a map of structures.
  ///
  /// - Parameters:
  ///   - count: how many entries. Nil: the service's model has no bound, and `ownLimit` applies.
  ///   - keys: the bounds of each key.
  ///   - ownLimit: the most entries where the model has no bound.
  public init(
    _ count: ClosedRange<Int>? = nil, keys: TextBounds, ownLimit: Int = CountBounds.ownLimit
  ) {
    self.init(count, keys: keys, values: NoBounds(), ownLimit: ownLimit)
  }
}

/// The bounds of a blob: its length in bytes.
public struct BlobBounds: Sendable {
  /// The shortest length.
  public let minimum: Int
  /// The greatest length; nil where only the body's size limits it.
  public let maximum: Int?

  /// Bounds.
  ///
  /// - Parameter length: the lengths. Nil: any.
  public init(_ length: ClosedRange<Int>? = nil) {
    minimum = length?.lowerBound ?? 0
    maximum = length?.upperBound
  }

  /// All constraints.
  var constraints: [String] {
    guard let maximum else { return [] }
    return [Constraint.length(atMost: maximum), Constraint.length(atLeast: minimum)]
  }

  /// The constraints that a length breaks.
  func broken(by count: Int) -> [String] {
    if let maximum, count > maximum { return [Constraint.length(atMost: maximum)] }
    return count < minimum ? [Constraint.length(atLeast: minimum)] : []
  }
}

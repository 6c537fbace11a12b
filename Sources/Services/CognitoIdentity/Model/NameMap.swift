internal import TokenSecurityBase

/// Values by name. Names are compared by their bytes, unlike the keys of a `Dictionary` of `String`.
///
///     let logins: NameMap<String> = ["accounts.google.com": token]
public struct NameMap<Value: Sendable>: Sendable, ExpressibleByDictionaryLiteral, Sequence {
  private var values: [ExactString: Value] = [:]

  /// Makes an empty map.
  public init() {}

  /// The values of a map in an operation's input.
  init(_ values: [ExactString: Value]) { self.values = values }

  /// The map as operations have it.
  var members: [ExactString: Value] { values }

  /// Makes a map from a literal. The last value of a name is used.
  public init(dictionaryLiteral elements: (String, Value)...) {
    for (name, value) in elements { values[ExactString(name)] = value }
  }

  /// Makes a map from a dictionary or another sequence. The last value of a name is used.
  ///
  /// - Parameter entries: names and values.
  public init(_ entries: some Sequence<(key: String, value: Value)>) {
    for (name, value) in entries { values[ExactString(name)] = value }
  }

  /// The value of a name, or nil.
  public subscript(name: String) -> Value? {
    get { values[ExactString(name)] }
    set { values[ExactString(name)] = newValue }
  }

  /// The names, ordered by their bytes.
  public var names: [String] { values.keys.sorted().map(\.text) }

  /// The number of names.
  public var count: Int { values.count }
  /// True for an empty map.
  public var isEmpty: Bool { values.isEmpty }

  /// Iterates over names and values, ordered by the names' bytes.
  public func makeIterator() -> some IteratorProtocol<(key: String, value: Value)> {
    values.sorted { $0.key < $1.key }.lazy.map { (key: $0.key.text, value: $0.value) }.makeIterator()
  }

  /// Removes a name and returns its value.
  public mutating func removeValue(forKey name: String) -> Value? {
    values.removeValue(forKey: ExactString(name))
  }

  /// Sets a value and returns the previous one.
  @discardableResult
  public mutating func updateValue(_ value: Value, forKey name: String) -> Value? {
    values.updateValue(value, forKey: ExactString(name))
  }

  /// Returns the entries of both maps. `other` takes precedence.
  public func merging(_ other: NameMap) -> NameMap {
    var merged = self
    for (name, value) in other.values { merged.values[name] = value }
    return merged
  }
}

/// A value of a ``NameMap`` whose texts are compared by their bytes.
public protocol ExactValue: Sendable {
  /// Returns true where both values are identical, byte for byte.
  static func isSame(_ left: Self, _ right: Self) -> Bool
  /// Hashes what ``isSame(_:_:)`` compares.
  func addBytes(to hasher: inout Hasher)
}

extension ExactValue where Self: Hashable {
  /// Compares by bytes.
  public static func isSame(_ left: Self, _ right: Self) -> Bool { left == right }
  /// Hashes the bytes.
  public func addBytes(to hasher: inout Hasher) { hash(into: &hasher) }
}

extension String: ExactValue {
  /// Compares by bytes.
  public static func isSame(_ left: String, _ right: String) -> Bool { left.isIdentical(to: right) }
  /// Hashes the bytes.
  public func addBytes(to hasher: inout Hasher) { hasher.combine(self) }
}

extension [String]: ExactValue {
  /// Compares by bytes.
  public static func isSame(_ left: [String], _ right: [String]) -> Bool { left == right }
  /// Hashes the bytes.
  public func addBytes(to hasher: inout Hasher) { hasher.combine(self) }
}

extension RoleMapping: ExactValue {}
extension IdentityPool.PrincipalTagMap: ExactValue {}

extension NameMap: Equatable where Value: ExactValue {
  /// Compares names and values by their bytes.
  public static func == (left: NameMap, right: NameMap) -> Bool {
    left.count == right.count
      && left.values.allSatisfy { name, value in right.values[name].map { Value.isSame(value, $0) } ?? false }
  }
}

extension NameMap: Hashable where Value: ExactValue {
  /// Hashes names and values.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for (name, value) in self {
      hasher.combine(name)
      value.addBytes(to: &hasher)
    }
  }
}

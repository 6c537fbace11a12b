internal import TokenSecurityEncodings

/// Values by name. Names are compared by their bytes, unlike the keys of a dictionary of `String`.
///
///     let logins: NameMap<String> = ["accounts.google.com": token]
public struct NameMap<Value: Sendable>: Sendable, ExpressibleByDictionaryLiteral, Sequence {
  private var values: [ExactString: Value] = [:]

  /// An empty map.
  public init() {}

  /// The entries of a literal; the last of a name counts.
  public init(dictionaryLiteral elements: (String, Value)...) {
    for (name, value) in elements { values[ExactString(name)] = value }
  }

  /// The entries of a dictionary or of another sequence; the last of a name counts.
  public init(_ entries: some Sequence<(key: String, value: Value)>) {
    for (name, value) in entries { values[ExactString(name)] = value }
  }

  /// The value of a name; nil where there is none.
  public subscript(name: String) -> Value? {
    get { values[ExactString(name)] }
    set { values[ExactString(name)] = newValue }
  }

  /// The names in the order of their bytes.
  public var names: [String] { values.keys.sorted().map(\.text) }

  /// How many names there are.
  public var count: Int { values.count }
  /// True where there is no name.
  public var isEmpty: Bool { values.isEmpty }

  /// The names and values in the order of the names' bytes.
  public func makeIterator() -> some IteratorProtocol<(key: String, value: Value)> {
    values.sorted { $0.key < $1.key }.lazy.map { (key: $0.key.text, value: $0.value) }.makeIterator()
  }

  /// Takes a name out and returns its value.
  public mutating func removeValue(forKey name: String) -> Value? {
    values.removeValue(forKey: ExactString(name))
  }

  /// Sets a value and returns the one before.
  @discardableResult
  public mutating func updateValue(_ value: Value, forKey name: String) -> Value? {
    values.updateValue(value, forKey: ExactString(name))
  }

  /// The entries of both; those of `other` where both have a name.
  public func merging(_ other: NameMap) -> NameMap {
    var merged = self
    for (name, value) in other.values { merged.values[name] = value }
    return merged
  }
}

/// A value of a ``NameMap`` that is compared by the bytes of its texts.
public protocol ExactValue: Sendable {
  /// True where both are the same, byte for byte.
  static func isSame(_ left: Self, _ right: Self) -> Bool
  /// Adds what ``isSame(_:_:)`` compares.
  func addBytes(to hasher: inout Hasher)
}

extension ExactValue where Self: Hashable {
  public static func isSame(_ left: Self, _ right: Self) -> Bool { left == right }
  public func addBytes(to hasher: inout Hasher) { hash(into: &hasher) }
}

extension String: ExactValue {
  public static func isSame(_ left: String, _ right: String) -> Bool { left.isIdentical(to: right) }
  public func addBytes(to hasher: inout Hasher) { hasher.combine(self) }
}

extension [String]: ExactValue {
  public static func isSame(_ left: [String], _ right: [String]) -> Bool { left == right }
  public func addBytes(to hasher: inout Hasher) { hasher.combine(self) }
}

extension RoleMapping: ExactValue {}
extension IdentityPool.PrincipalTagMap: ExactValue {}

extension NameMap: Equatable where Value: ExactValue {
  public static func == (left: NameMap, right: NameMap) -> Bool {
    left.count == right.count
      && left.values.allSatisfy { name, value in right.values[name].map { Value.isSame(value, $0) } ?? false }
  }
}

extension NameMap: Hashable where Value: ExactValue {
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for (name, value) in self {
      hasher.combine(name)
      value.addBytes(to: &hasher)
    }
  }
}

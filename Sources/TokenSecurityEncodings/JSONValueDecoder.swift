/// Decodes a JSON value into any `Decodable` type, without Foundation.
///
/// Numbers must fit the requested type exactly: fractions are not cut off, overflows do not wrap around.
package struct JSONValueDecoder {
  /// Decodes types with another JSON form than that of their `Decodable`, for example dates; returns nil for
  /// all others.
  package typealias Override =
    (_ type: any Decodable.Type, _ value: JSONValue, _ path: () -> [any CodingKey]) throws -> (any Decodable)?

  private let override: Override

  /// A decoder that calls `override` before each nested value.
  package init(override: @escaping Override = { _, _, _ in nil }) {
    self.override = override
  }

  /// Decodes `value`.
  ///
  /// - Parameters:
  ///   - type: the type.
  ///   - value: the value.
  /// - Returns: the decoded value.
  /// - Throws: `DecodingError`, or what the type's `init(from:)` throws.
  package func decode<T: Decodable>(_ type: T.Type, from value: JSONValue) throws -> T {
    try ValueDecoder(value: value, codingPath: [], override: override).decodeValue(type)
  }
}

/// A decoder at one place in the value.
private struct ValueDecoder: Decoder, SingleValueDecodingContainer {
  let value: JSONValue
  let codingPath: [any CodingKey]
  let override: JSONValueDecoder.Override
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let object = value.object else { throw mismatch(JSONObject.self, "an object") }
    return KeyedDecodingContainer(ObjectContainer(object: object, decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let array = value.array else { throw mismatch([JSONValue].self, "an array") }
    return ArrayContainer(array: array, decoder: self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func descend(_ value: JSONValue, _ key: any CodingKey) -> ValueDecoder {
    ValueDecoder(value: value, codingPath: codingPath + [key], override: override)
  }

  func decodeValue<T: Decodable>(_ type: T.Type) throws -> T {
    if T.self == JSONValue.self, let same = value as? T { return same }
    if let special = try override(type, value, { codingPath }) as? T { return special }
    return try T(from: self)
  }

  func mismatch(_ type: any Any.Type, _ expected: String) -> DecodingError {
    .typeMismatch(
      type,
      DecodingError.Context(
        codingPath: codingPath,
        debugDescription: "expected \(expected), found \(value.kind)"))
  }

  func decodeNil() -> Bool { value == .null }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard let bool = value.bool else { throw mismatch(type, "a boolean") }
    return bool
  }

  func decode(_ type: String.Type) throws -> String {
    guard let string = value.string else { throw mismatch(type, "a string") }
    return string
  }

  func decode(_ type: Double.Type) throws -> Double {
    guard let double = value.number?.double else { throw mismatch(type, "a number in range") }
    return double
  }

  func decode(_ type: Float.Type) throws -> Float {
    let float = Float(try decode(Double.self))
    guard float.isFinite else { throw mismatch(type, "a number in range") }
    return float
  }

  private func whole<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
    guard let number = value.number else { throw mismatch(type, "a number") }
    guard let integer = T(number.description) else {
      throw mismatch(type, "a whole number that fits \(type)")
    }
    return integer
  }

  func decode(_ type: Int.Type) throws -> Int { try whole(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try whole(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try whole(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try whole(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try whole(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try whole(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try whole(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try whole(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try whole(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try whole(type) }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try decodeValue(type) }
}

private struct ObjectContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let object: JSONObject
  let decoder: ValueDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { object.names.compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try value(key).decodeNil() }

  private func member(_ key: any CodingKey) throws -> JSONValue {
    guard let value = object[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key,
        DecodingError.Context(
          codingPath: codingPath,
          debugDescription: "the member \(key.stringValue.quoted) is missing"))
    }
    return value
  }

  private func value(_ key: any CodingKey) throws -> ValueDecoder {
    decoder.descend(try member(key), key)
  }

  // Fast paths for common types: they need a decoder and a path only if they fail.
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    if let text = try member(key).string { return text }
    return try value(key).decode(type)
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    if let bool = try member(key).bool { return bool }
    return try value(key).decode(type)
  }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    if let number = try member(key).number, let whole = Int(number.description) { return whole }
    return try value(key).decode(type)
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    let member = try member(key)
    if T.self == [String].self, let strings = member.strings as? T { return strings }
    if let special = try decoder.override(type, member, { codingPath + [key] }) as? T { return special }
    return try decoder.descend(member, key).decodeValue(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try value(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try value(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { decoder }
  func superDecoder(forKey key: Key) throws -> any Decoder { try value(key) }
}

private struct ArrayContainer: UnkeyedDecodingContainer {
  let array: [JSONValue]
  let decoder: ValueDecoder
  var currentIndex = 0

  init(array: [JSONValue], decoder: ValueDecoder) {
    self.array = array
    self.decoder = decoder
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { array.count }
  var isAtEnd: Bool { currentIndex >= array.count }

  private struct Index: CodingKey {
    let intValue: Int?
    var stringValue: String { intValue.map(String.init) ?? "" }
    init(_ index: Int) { intValue = index }
    init?(intValue: Int) { self.intValue = intValue }
    init?(stringValue: String) { nil }
  }

  private mutating func next() throws -> ValueDecoder {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        JSONValue.self,
        DecodingError.Context(codingPath: codingPath, debugDescription: "the array has ended"))
    }
    defer { currentIndex += 1 }
    return decoder.descend(array[currentIndex], Index(currentIndex))
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, array[currentIndex] == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next().decodeValue(type) }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try next().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { try next() }
}

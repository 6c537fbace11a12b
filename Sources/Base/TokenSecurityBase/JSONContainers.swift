/// The search for members of one object.
///
/// It starts at the name that was found last, and continues from the first one. So a type that asks for all
/// members in their order, such as a dictionary, takes linear time. After much searching all names are
/// indexed, so that other orders do, too.
final class JSONMemberSearch {
  private let object: JSONDocument.Place
  private var lastName: JSONDocument.Place
  /// The nodes that may still be passed before the names are indexed.
  private var steps = 1_024
  private var names: [ExactString: JSONDocument.Place] = [:]

  init(object: JSONDocument.Place) {
    self.object = object
    lastName = object + 1
  }

  /// The place of the member called `name`, or nil.
  func member(_ name: String, in document: JSONDocument) -> JSONDocument.Place? {
    guard steps >= 0 else { return names[ExactString(name)].map { $0 + 1 } }
    let end = document.end(of: object)
    let found = document.name(name.utf8.span, of: object, from: lastName)
    guard let found else {
      pass(end - object, document)
      return nil
    }
    let isNext = found == lastName || found == document.end(of: lastName + 1)
    if !isNext { pass(found > lastName ? found - lastName : end - object, document) }
    lastName = found
    return found + 1
  }

  /// Counts nodes that a search has passed.
  private func pass(_ count: Int, _ document: JSONDocument) {
    steps -= count
    if steps < 0 { index(document) }
  }

  private func index(_ document: JSONDocument) {
    document.forEachMember(of: object) { (name: Int, _: Int) in
      names[ExactString(document.string(at: name) ?? "")] = name
    }
  }
}

/// The members of an object, for a type that is decoded.
struct JSONObjectContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: JSONPlaceDecoder
  let search: JSONMemberSearch
  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] {
    var keys: [Key] = []
    decoder.document.forEachMember(of: decoder.place) { (name: Int, _: Int) in
      if let key = decoder.document.string(at: name).flatMap(Key.init(stringValue:)) { keys.append(key) }
    }
    return keys
  }

  func contains(_ key: Key) -> Bool { find(key) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try member(key).decodeNil() }

  private func find(_ key: Key) -> JSONPlaceDecoder? {
    search.member(key.stringValue, in: decoder.document).map(decoder.at)
  }

  /// The member, unless it is absent or null.
  private func findValue(_ key: Key) -> JSONPlaceDecoder? {
    guard let member = find(key), !member.decodeNil() else { return nil }
    return member
  }

  private func member(_ key: Key) throws -> JSONPlaceDecoder {
    guard let member = find(key) else {
      throw DecodingError.keyNotFound(
        key,
        DecodingError.Context(
          codingPath: codingPath,
          debugDescription: "the member \(key.stringValue.quoted) is missing"))
    }
    return member
  }

  // The standard library's defaults for these types make an existential of each value, or search for the
  // member three times.
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try member(key).decode(type) }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try member(key).decode(type) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try member(key).decode(type) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try member(key).decode(type) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try findValue(key)?.decode(type)
  }
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try findValue(key)?.decode(type)
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try findValue(key)?.decode(type)
  }
  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try findValue(key)?.decodeValue(type)
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try member(key).decodeValue(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try member(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try member(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { decoder }
  func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }
}

/// The elements of an array, for a type that is decoded.
struct JSONArrayContainer: UnkeyedDecodingContainer {
  let decoder: JSONPlaceDecoder
  let elements: [JSONDocument.Place]
  private(set) var currentIndex = 0

  init(decoder: JSONPlaceDecoder, elements: [JSONDocument.Place]) {
    self.decoder = decoder
    self.elements = elements
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  private mutating func next() throws -> JSONPlaceDecoder {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        JSONValue.self,
        DecodingError.Context(codingPath: codingPath, debugDescription: "the array has ended"))
    }
    defer { currentIndex += 1 }
    return decoder.at(elements[currentIndex])
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, decoder.at(elements[currentIndex]).decodeNil() else { return false }
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

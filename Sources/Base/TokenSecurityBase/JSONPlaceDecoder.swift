/// State that all positions of one decoding share.
final class JSONDecodingSource {
  let document: JSONDocument
  let override: any JSONDecodingOverride
  private lazy var paths = JSONPaths(document)

  init(_ document: JSONDocument, _ override: any JSONDecodingOverride) {
    self.document = document
    self.override = override
  }

  /// The names and indices that lead from the root to the value at `place`.
  func codingPath(to place: JSONDocument.Place) -> [any CodingKey] { paths.path(to: place, in: document) }
}

/// A decoder at one place of a text. The path in its errors is found by the place, so that only errors pay
/// for it.
struct JSONPlaceDecoder: Decoder, SingleValueDecodingContainer {
  let source: JSONDecodingSource
  let place: JSONDocument.Place

  var document: JSONDocument { source.document }
  var codingPath: [any CodingKey] { source.codingPath(to: place) }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard document.kind(at: place) == .object else { throw mismatch(JSONObject.self, "an object") }
    return KeyedDecodingContainer(
      JSONObjectContainer(decoder: self, search: JSONMemberSearch(object: place)))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard document.kind(at: place) == .array else { throw mismatch([JSONValue].self, "an array") }
    return JSONArrayContainer(decoder: self, elements: document.elements(of: place))
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  /// The decoder at another place of the same text.
  func at(_ place: JSONDocument.Place) -> JSONPlaceDecoder { JSONPlaceDecoder(source: source, place: place) }

  func decodeValue<T: Decodable>(_ type: T.Type) throws -> T {
    if T.self == JSONValue.self, let same = document.value(at: place) as? T { return same }
    if T.self == [String].self, let strings = document.strings(at: place) as? T { return strings }
    if let special = try source.override.decode(type, document, at: place, path: { codingPath }) {
      return special
    }
    return try T(from: self)
  }

  func mismatch(_ type: any Any.Type, _ expected: String) -> DecodingError {
    .typeMismatch(
      type,
      DecodingError.Context(
        codingPath: codingPath,
        debugDescription: "expected \(expected), found \(kind)"))
  }

  /// The kind of value in RFC 8259's terms, with an article. The contents of a container are not read.
  private var kind: String {
    switch document.kind(at: place) {
    case .array: JSONValue.array([]).kind
    case .object: JSONValue.object([:]).kind
    default: document.value(at: place).kind
    }
  }

  func decodeNil() -> Bool { document.kind(at: place) == .null }

  func decode(_ type: Bool.Type) throws -> Bool {
    switch document.kind(at: place) {
    case .true: true
    case .false: false
    default: throw mismatch(type, "a boolean")
    }
  }

  func decode(_ type: String.Type) throws -> String {
    guard let string = document.string(at: place) else { throw mismatch(type, "a string") }
    return string
  }

  func decode(_ type: Double.Type) throws -> Double {
    guard let double = document.number(at: place)?.double else { throw mismatch(type, "a number in range") }
    return double
  }

  func decode(_ type: Float.Type) throws -> Float {
    let float = Float(try decode(Double.self))
    guard float.isFinite else { throw mismatch(type, "a number in range") }
    return float
  }

  private func whole<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
    guard let number = document.number(at: place) else { throw mismatch(type, "a number") }
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

/// A JSON value (RFC 8259).
public enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  /// Reads a JSON text with the strict reader.
  public init(
    parsing text: String, limits: JSONLimits = JSONLimits()
  ) throws(JSONError) {
    try self.init(parsing: [UInt8](text.utf8), limits: limits)
  }

  /// Reads the UTF-8 of a JSON text with the strict reader: no name twice in an object, no byte order
  /// mark, no lone surrogate, nothing behind the value.
  public init(
    parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()
  ) throws(JSONError) {
    self = try JSONDocument(bytes, limits: limits).value()
  }

  /// The string, where it is one.
  public var string: String? { if case .string(let value) = self { value } else { nil } }
  /// The truth value, where it is one.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The number, where it is one.
  public var number: JSONNumber? { if case .number(let value) = self { value } else { nil } }
  /// The whole number, where it is one that fits.
  public var int64: Int64? { number?.int64 }
  /// The elements, where it is an array.
  public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
  /// The object, where it is one.
  public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }
  /// The strings of an array of strings; nil where anything else is among them.
  public var strings: [String]? {
    guard let array else { return nil }
    let strings = array.compactMap(\.string)
    return strings.count == array.count ? strings : nil
  }

  /// What kind of value this is, in the words of RFC 8259.
  public var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByNilLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(nilLiteral: ()) { self = .null }
  /// The last of several members with one name stands.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    var object = JSONObject()
    for (name, value) in elements { object[name] = value }
    self = .object(object)
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as compact JSON.
  public var description: String { String(decoding: JSONWriter.write(self), as: UTF8.self) }
}

extension JSONValue: Decodable {
  /// Reads any JSON value, so that a caller's type can hold members of unknown shape.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .number(JSONNumber(value))
    } else if let value = try? container.decode(Double.self), let number = JSONNumber(value) {
      self = .number(number)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      let object = try container.decode([String: JSONValue].self)
      let members = object.sorted { $0.key < $1.key }
      self = .object(
        JSONObject(distinct: members.map { JSONObject.Member(name: $0.key, value: $0.value) }))
    }
  }
}

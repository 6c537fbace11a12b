/// A JSON value (RFC 8259).
public enum JSONValue: Sendable, Hashable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, as text.
  case number(JSONNumber)
  /// A string, escapes resolved.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object, its members in order.
  case object(JSONObject)

  /// Parses a JSON text strictly.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - limits: maximum size and nesting.
  /// - Throws: the first rule that the text breaks.
  public init(
    parsing text: String, limits: JSONLimits = JSONLimits()
  ) throws(JSONError) {
    try self.init(parsing: [UInt8](text.utf8), limits: limits)
  }

  /// Parses the UTF-8 of a JSON text strictly: no duplicate names, no byte order mark, no lone surrogates,
  /// nothing after the value.
  ///
  /// - Parameters:
  ///   - bytes: the text.
  ///   - limits: maximum size and nesting.
  /// - Throws: the first rule that the text breaks.
  public init(
    parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()
  ) throws(JSONError) {
    self = try JSONDocument(bytes, limits: limits).value()
  }

  /// The string; nil for other values.
  public var string: String? { if case .string(let value) = self { value } else { nil } }
  /// The boolean; nil for other values.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The number; nil for other values.
  public var number: JSONNumber? { if case .number(let value) = self { value } else { nil } }
  /// The whole number; nil for other values, and if it does not fit.
  public var int64: Int64? { number?.int64 }
  /// The elements of an array; nil for other values.
  public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
  /// The object; nil for other values.
  public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }
  /// The strings of an array of strings; nil for other values.
  public var strings: [String]? {
    guard let array else { return nil }
    let strings = array.compactMap(\.string)
    return strings.count == array.count ? strings : nil
  }

  /// The kind of value in RFC 8259's terms, with an article.
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
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
  /// A boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Null.
  public init(nilLiteral: ()) { self = .null }
  /// An object. Of several members with one name the last is kept.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    var object = JSONObject()
    for (name, value) in elements { object[name] = value }
    self = .object(object)
  }
}

extension JSONValue {
  /// A string, or null.
  package init(_ text: String?) { self = text.map(JSONValue.string) ?? .null }
}

extension JSONValue: CustomStringConvertible {
  /// The value as compact JSON.
  public var description: String { String(decoding: JSONWriter.write(self), as: UTF8.self) }
}

extension JSONValue: Decodable {
  /// Decodes any JSON value, for members of unknown type.
  ///
  /// - Parameter decoder: the decoder.
  /// - Throws: the errors of the decoder.
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

internal import Testing
internal import TokenSecurityBase

@Suite struct JSONDecodingTests {
  struct Everything: Decodable, Equatable {
    struct Inner: Decodable, Equatable { let a: [UInt8] }
    let text: String
    let count: Int
    let ratio: Double
    let isOn: Bool
    let maybe: String?
    let absent: Int?
    let inner: Inner
    let any: JSONValue
    let table: [String: Int8]
  }

  private func decode<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
    try JSONValueDecoder().decode(type, from: JSONValue(parsing: text))
  }

  @Test func decodesNestedTypes() throws {
    let value = try decode(
      Everything.self,
      #"{"text":"x","count":7,"ratio":0.5,"isOn":true,"maybe":null,"inner":{"a":[1,255]},"any":[{"b":1.50}],"table":{"k":-1}}"#
    )
    #expect(
      value
        == Everything(
          text: "x", count: 7, ratio: 0.5, isOn: true, maybe: nil, absent: nil, inner: .init(a: [1, 255]),
          any: try JSONValue(parsing: #"[{"b":1.50}]"#), table: ["k": -1]))
  }

  @Test func decodesOptionalElements() throws {
    #expect(try decode([String: Int?].self, #"{"a":1,"b":null}"#) == ["a": 1, "b": nil])
    #expect(try decode([Bool?].self, "[true,null]") == [true, nil])
    #expect(throws: DecodingError.self) { try decode([String: Int?].self, #"{"a":"1"}"#) }
  }

  @Test(arguments: ["256", "-1", "1.0", "1e2", "\"1\"", "true", "null", "[1]"])
  func refusesNumbersThatDoNotFit(text: String) {
    #expect(throws: DecodingError.self) { try decode(UInt8.self, text) }
  }

  @Test func saysWhereItFailed() throws {
    #expect { try decode([String: [Int]].self, #"{"a":[1,"x"]}"#) } throws: { error in
      guard case DecodingError.typeMismatch(_, let context) = error else { return false }
      return context.codingPath.map(\.stringValue) == ["a", "1"]
    }
    #expect { try decode(Everything.Inner.self, "{}") } throws: { error in
      guard case DecodingError.keyNotFound(let key, _) = error else { return false }
      return key.stringValue == "a"
    }
  }

  struct Nested: Decodable, Equatable {
    struct Element: Decodable, Equatable {
      let second: Double?
      let first: Bool?
    }
    let last: [Element]
    let names: [String]
    let first: String
  }

  @Test func findsMembersInAnyOrder() throws {
    let value = try decode(
      Nested.self,
      #"{"first":"\u0061","names":["x",""],"last":[{"first":true,"second":null},{"second":2.5,"more":[]}]}"#)
    let elements = [Nested.Element(second: nil, first: true), Nested.Element(second: 2.5, first: nil)]
    #expect(value == Nested(last: elements, names: ["x", ""], first: "a"))
    let many = (0..<200).map { #""n\#($0)":{"n\#($0)":\#($0)}"# }
    let table = try decode([String: [String: Int]].self, "{\(many.joined(separator: ","))}")
    #expect(table == Dictionary(uniqueKeysWithValues: (0..<200).map { ("n\($0)", ["n\($0)": $0]) }))
  }

  @Test(arguments: [
    (#"{"first":"","names":[],"last":[{},{"first":1}]}"#, ["last", "1", "first"]),
    (#"{"last":[[]],"first":"","names":[]}"#, ["last", "0"]),
    (#"{"last":[],"first":"","names":["a",{"b":[1]},"c"]}"#, ["names", "1"]),
    (#"{"last":[],"names":[],"first":false}"#, ["first"]),
    (#"[]"#, []),
  ])
  func pathLeadsToTheFirstError(text: String, path: [String]) {
    #expect { try decode(Nested.self, text) } throws: { error in
      guard case DecodingError.typeMismatch(_, let context) = error else { return false }
      return context.codingPath.map(\.stringValue) == path
    }
  }

  @Test func decodesValuesThatAreNotTextsOfAParser() throws {
    var value = JSONValue.array([])
    for _ in 0..<100 { value = .array([value]) }
    #expect(try JSONValueDecoder().decode(JSONValue.self, from: value) == value)
    for _ in 0..<200 { value = .array([value]) }
    #expect(throws: DecodingError.self) { try JSONValueDecoder().decode(JSONValue.self, from: value) }
  }

  /// Tries a text for each value, and asks for members from the last to the first, with names that are absent
  /// between them.
  private enum Tried: Decodable {
    case text(String)
    case list([Tried])
    case members([String: Tried])
    case number(Int)

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let text = try? value.decode(String.self) {
        self = .text(text)
      } else if let list = try? value.decode([Tried].self) {
        self = .list(list)
      } else if let container = try? decoder.container(keyedBy: AnyKey.self) {
        var members: [String: Tried] = [:]
        for key in container.allKeys.reversed() {
          members[key.stringValue] = try container.decode(Tried.self, forKey: key)
          if container.contains(AnyKey(stringValue: "-" + key.stringValue)) { members = [:] }
        }
        self = .members(members)
      } else {
        self = .number(try value.decode(Int.self))
      }
    }
  }

  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// The shapes `decoded-…` of the instruction counts check that the time grows with the size.
  @Test func manyTriedFormsAndOtherOrdersAreDecoded() throws {
    let count = 10_000
    let numbers = String(repeating: "1,", count: count) + "2"
    let list = try decode(Tried.self, "[\(numbers)]")
    guard case .list(let elements) = list else {
      Issue.record("another form")
      return
    }
    #expect(elements.count == count + 1)
    let names = (0..<count).map { #""\u0061\#($0)":\#($0)"# }
    let object = try decode(Tried.self, "{\(names.joined(separator: ","))}")
    guard case .members(let members) = object else {
      Issue.record("another form")
      return
    }
    #expect(members.count == count)
    for index in stride(from: 0, to: count, by: 997) {
      if case .number(index) = members["a\(index)"] { continue }
      Issue.record("another value")
    }
  }

  /// The coding paths of all values inside a value.
  private struct Paths: Decodable {
    var all: [String]

    init(from decoder: any Decoder) throws {
      all = [decoder.codingPath.map(\.stringValue).joined(separator: "/")]
      if var list = try? decoder.unkeyedContainer() {
        while !list.isAtEnd { all += try list.decode(Paths.self).all }
      } else if let object = try? decoder.container(keyedBy: AnyKey.self) {
        for key in object.allKeys { all += try object.decode(Paths.self, forKey: key).all }
      }
    }
  }

  @Test func pathsLeadThroughContainersOfAllKinds() throws {
    let text = #"{"a":[],"b":{"c":[0,{},[[],{"d":1,"\u0065":[true,false,{"f":null}]}]]},"g":0}"#
    #expect(
      try decode(Paths.self, text).all == [
        "", "a", "b", "b/c", "b/c/0", "b/c/1", "b/c/2", "b/c/2/0", "b/c/2/1", "b/c/2/1/d", "b/c/2/1/e",
        "b/c/2/1/e/0", "b/c/2/1/e/1", "b/c/2/1/e/2", "b/c/2/1/e/2/f", "g",
      ])
  }
}

internal import TokenSecurityEncodings
internal import Testing

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
}

internal import ServiceOperations

extension Shape {
  /// Declared operations: requests of each protocol, before it is known who calls.
  static func operations() -> [Shape] {
    let sample = SampleOperation()
    func json(_ name: String, ends outcome: String, _ text: @escaping (Int) -> String) -> Shape {
      Shape("operation-json-" + name, from: 16_384, ends: outcome) { size in
        let body = Array(text(size).utf8)
        return { _ = try sample.read(SampleOperation.head("GetId"), body) }
      }
    }
    func form(_ name: String, ends outcome: String, _ text: @escaping (Int) -> String) -> Shape {
      let head = OperationRequestHead(
        method: "POST", target: "/",
        headers: [(name: "Content-Type", value: "application/x-www-form-urlencoded")])
      return Shape("operation-form-" + name, from: 16_384, ends: outcome) { size in
        let body = Array(text(size).utf8)
        return { _ = try sample.read(head, body) }
      }
    }
    func rest(
      _ name: String, from size: Int, ends outcome: String,
      _ make: @escaping (Int) -> (target: String, headers: [(name: String, value: String)], body: String)
    ) -> Shape {
      Shape("operation-rest-" + name, from: size, ends: outcome) { size in
        let (target, headers, text) = make(size)
        let head = OperationRequestHead(method: "POST", target: target, headers: headers)
        let body = Array(text.utf8)
        return { _ = try sample.read(head, body) }
      }
    }
    let pool = "\"IdentityPoolId\":\"\(SampleOperation.pool)\""
    let role =
      "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleSessionName=s&RoleArn=arn:aws:iam::123456789012:role/x"
    let path = "/identitypools/p/identities/i/datasets/"
    return [
      json("members", ends: "ok") {
        "{" + filled($0, separator: ",") { "\"m\($0)\":0" } + "," + pool + "}"
      },
      json("escaped-names", ends: "member_missing") {
        "{" + filled($0, separator: ",") { "\"\\u0049dentityPoolI\\u0064\($0)\":0" } + "}"
      },
      json("nested", ends: "ok") {
        "{\(pool),\"x\":[" + filled($0, separator: ",") { _ in "[[[[[[[[[[[{\"a\":{}}]]]]]]]]]]]" } + "]}"
      },
      json("map-entries", ends: "member_length") {
        "{\(pool),\"Logins\":{" + filled($0, separator: ",") { "\"p\($0)\":\"t\"" } + "}}"
      },
      json("map-key", ends: "member_length") {
        "{\(pool),\"Logins\":{\"" + String(repeating: "é", count: $0 / 2) + "\":\"t\"}}"
      },
      json("map-value", ends: "ok") {
        // Two logins with values of up to 50,000 characters of two bytes.
        let value = String(repeating: "\u{E9}", count: $0 / 4)
        return "{\(pool),\"Logins\":{\"a\":\"\(value)\",\"b\":\"\(value)\"}}"
      },
      json("escapes", ends: "member_length") {
        "{\"IdentityPoolId\":\"" + filled($0) { _ in "\\u00e9\\n" } + "\"}"
      },
      json("pattern", ends: "member_length") {
        "{\"IdentityPoolId\":\"a:" + String(repeating: "0", count: $0) + "\"}"
      },
      json("shown-value", ends: "member_length") {
        "{\"IdentityPoolId\":\"" + filled($0) { _ in "\u{202E}\u{1F600}" } + "\"}"
      },
      // At most 100 fields are read, so that growth shows in their values.
      form("fields", ends: "request_malformed") { filled($0, separator: "&") { "p\($0)=1" } },
      form("value", ends: "member_length") {
        role + "&WebIdentityToken=" + String(repeating: "a", count: $0 + 20_000)
      },
      form("percent", ends: "member_length") {
        role + "&WebIdentityToken=" + filled($0 + 60_000) { _ in "%41" }
      },
      form("unknown-member", ends: "member_not_supported") {
        role + "&WebIdentityToken=abcd&" + String(repeating: "a", count: $0) + "=1"
      },
      form("dots", ends: "request_malformed") { String(repeating: "a.", count: $0 / 2) + "=1" },
      rest("slashes", from: 4_000, ends: "operation_unknown") {
        (String(repeating: "/", count: $0), [], "")
      },
      rest("label", from: 4_000, ends: "ok") {
        (path + String(repeating: "%C3%A9", count: $0 / 6), [], "")
      },
      rest("parameter", from: 4_000, ends: "ok") {
        (path + "d?nextToken=" + String(repeating: "+", count: $0), [], "")
      },
      rest("parameters", from: 4_000, ends: "request_malformed") {
        (path + "d?" + filled($0, separator: "&") { "p\($0)=1" }, [], "")
      },
      rest("header", from: 16_384, ends: "ok") {
        (path + "d", [(name: "x-amz-client-context", value: String(repeating: "a", count: $0))], "")
      },
      rest("list", from: 16_384, ends: "ok") {
        (
          path + "d", [],
          "{\"RecordPatches\":["
            + filled($0, separator: ",") { "{\"Key\":\"k\($0)\",\"SyncCount\":\($0),\"Value\":\"\"}" } + "]}"
        )
      },
      rest("violations", from: 16_384, ends: "member_length") {
        (path + "d", [], "{\"RecordPatches\":[" + filled($0, separator: ",") { _ in "{\"Key\":\"\"}" } + "]}")
      },
      rest("nulls", from: 16_384, ends: "ok") {
        (path + "d", [], "{\"RecordPatches\":[" + filled($0, separator: ",") { _ in "null" } + "]}")
      },
    ]
  }
}

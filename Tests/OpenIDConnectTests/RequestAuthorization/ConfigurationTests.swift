internal import JOSE
internal import OpenIDConnect
internal import Testing
internal import TokenSecurityBase

/// The configuration of a sidecar in JSON.
@Suite struct ConfigurationTests {
  static let policy =
    #"{"version":1,"issuers":[{"profile":"id-token","issuer":"https://a.example","client_ids":"c"}]}"#

  static func read(
    _ route: String = #""policy":"p""#, more: String = "", listen: String = "127.0.0.1:0"
  ) throws(PolicyDocumentError) -> AuthorizationConfiguration {
    try AuthorizationConfiguration(
      Array(
        #"""
        {"version":1,"listen":"\#(listen)","policies":{"p":\#(policy)},"routes":{"r":{\#(route)}}\#(more)}
        """#.utf8))
  }

  private static func refusal(_ body: () throws(PolicyDocumentError) -> Void) -> String {
    do throws(PolicyDocumentError) {
      try body()
      return ""
    } catch { return "\(error.codeText): \(error)" }
  }

  @Test func allMembers() throws {
    let read = try Self.read(
      #""policy":"p","scopes":["a","b:c/d"],"scope_claim":"scp","realm":"api","headers":{"X-User":"sub","X-Roles":["realm_access","roles"]}"#,
      more: #","socket_mode":"666","management":"[::1]:9","connections":7,"log_level":"debug""#,
      listen: "unix:/run/s.sock")
    #expect(read.listen == .socket(path: "/run/s.sock", mode: 0o666))
    #expect(read.management == .loopback(host: "::1", port: 9))
    #expect(read.connections == 7 && "\(read.logLevel)" == "debug" && read.policies.map(\.name) == ["p"])
    let route = try #require(read.routes.first)
    #expect(route.name == "r" && route.scopes == ["a", "b:c/d"] && route.scopeClaim == "scp")
    #expect(route.realm == "api" && route.headers.map(\.name) == ["X-User", "X-Roles"])
    #expect(route.headers.map(\.path) == [["sub"], ["realm_access", "roles"]])
  }

  @Test func whatIsLeftOutHasDefaults() throws {
    let read = try Self.read(listen: "unix:/s")
    #expect(read.listen == .socket(path: "/s", mode: 0o660) && read.management == nil)
    #expect(ListenAddress("unix:/s\0") == nil)
    // One file, one path: the two addresses of a sidecar must differ.
    for text in ["unix:///run/s", "unix:/run//s", "unix:/run/./s", "unix:/./run/s"] {
      #expect(ListenAddress(text) == .socket(path: "/run/s", mode: 0o660))
    }
    #expect(ListenAddress("unix:/...//\u{301}s") == .socket(path: "/.../\u{301}s", mode: 0o660))
    #expect(read.connections == 1_024 && "\(read.logLevel)" == "info")
    #expect(read.routes.first?.scopeClaim == "scope" && read.routes.first?.headers.isEmpty == true)
  }

  /// Other machines must not reach it: it has no TLS, and believes what it is asked.
  @Test(arguments: [
    "0.0.0.0:80", "10.0.0.1:80", "example.org:80", "localhost:80", "[::]:80", "127.0.0.1", "127.0.0.1:",
    "127.0.0.1:65536", "127.0.0.1:-1", "unix:", "unix:relative", "127.0.0.1:8a", ":80",
    "unix:/", "unix:/run/", "unix:/run/.", "unix:/run/..", "unix:/../run/s", "unix:.//s",
    "unix:/\(String(repeating: "a", count: 103))", "unix:/\(String(repeating: "a", count: 95))/s",
  ])
  func addressesThatAreRefused(_ text: String) {
    #expect(ListenAddress(text) == nil)
    let refusal = Self.refusal { () throws(PolicyDocumentError) in _ = try Self.read(listen: text) }
    #expect(refusal.hasPrefix("policy_document_invalid: listen is "))
  }

  @Test(arguments: [
    (#""policy":"q""#, "routes.r.policy is \"q\", which is not in policies"),
    (#""policy":"p","scope":"a""#, "routes.r.\"scope\" is unknown here; did you mean scopes?"),
    (
      #""policy":"p","scopes":"a b""#,
      "routes.r.scopes have \"a b\", which is no scope (RFC 6749 section 3.3)"
    ),
    (#""policy":"p","scopes":"é""#, "routes.r.scopes have \"é\", which is no scope (RFC 6749 section 3.3)"),
    (
      #""policy":"p","headers":{"Set-Cookie":"sub"}"#,
      "routes.r.headers have \"Set-Cookie\", which cannot be such a field"
    ),
    (
      #""policy":"p","headers":{"X User":"sub"}"#,
      "routes.r.headers have \"X User\", which cannot be such a field"
    ),
    (
      #""policy":"p","headers":{"X-A":"sub","x-a":"iss"}"#,
      "routes.r.headers have \"x-a\" twice; case does not count"
    ),
    (
      #""policy":"p","headers":{"X-A":[]}"#,
      "routes.r.headers \"X-A\" must be the name of a claim, or a list of 1 to 8 names"
    ),
    (
      #""policy":"p","realm":"a\"b""#,
      "routes.r.realm must have at most 128 characters of visible ASCII without quotation marks and backslashes"
    ),
  ])
  func routesThatAreRefused(_ route: String, _ rule: String) {
    let refusal = Self.refusal { () throws(PolicyDocumentError) in _ = try Self.read(route) }
    #expect(refusal == "policy_document_invalid: \(rule)")
  }

  @Test(arguments: [
    (#","socket_mode":"777""#, "socket_mode"), (#","socket_mode":"066""#, "socket_mode"),
    (#","connections":0"#, "connections"), (#","log_level":"loud""#, "log_level"),
    (#","management":"127.0.0.1:0""#, "management"), (#","colour":1"#, "colour"),
  ])
  func membersThatAreRefused(_ more: String, _ name: String) {
    let refusal = Self.refusal { () throws(PolicyDocumentError) in _ = try Self.read(more: more) }
    #expect(refusal.hasPrefix("policy_document_invalid: ") && refusal.contains(name))
  }

  @Test func namesThatOccurTwiceAreRefused() {
    let refusal = Self.refusal { () throws(PolicyDocumentError) in
      _ = try Self.read(more: #","listen":"127.0.0.1:1""#)
    }
    #expect(refusal.hasPrefix("json_duplicate_name: "))
  }
}

/// Claims in header fields.
@Suite struct ClaimHeaderTests {
  private func value(_ claim: JSONValue?, path: [String] = ["c"]) throws -> String? {
    let route = try ConfigurationTests.read(
      #""policy":"p","headers":{"X-C":[\#(path.map { "\"\($0)\"" }.joined(separator: ","))]}"#)
    var object = JSONObject()
    if let claim { object["c"] = claim }
    return try #require(route.routes.first?.headers.first).value(in: TokenClaims(object))
  }

  @Test(
    arguments: [
      (.string("a b"), "a b"), (.string("é"), "%C3%A9"), (.string("100%"), "100%25"),
      (.string("a\r\nX-Admin: 1"), "a%0D%0AX-Admin: 1"), (.string(" a "), "%20a%20"),
      (.string("a,b"), "a%2Cb"),
      (.array(["a", "b"]), "a,b"), (.array(["a,b", "c"]), "a%2Cb,c"), (.bool(true), "true"), (12, "12"),
      (.null, ""), (.array([]), ""), (.object(["a": 1]), #"{"a":1}"#), (.array([1, "a"]), #"[1,"a"]"#),
      (.string("\u{0}\u{7F}"), "%00%7F"),
    ] as [(JSONValue, String)])
  func values(_ claim: JSONValue, _ expected: String) throws {
    #expect(try value(claim) == expected)
  }

  /// An absent claim has an empty field, so that a client's own never stays.
  @Test func absentClaimsAreEmpty() throws {
    #expect(try value(nil) == "")
    #expect(try value(.object(["a": .object(["b": "x"])]), path: ["c", "a", "b"]) == "x")
    #expect(try value(.object(["a": "x"]), path: ["c", "a", "b"]) == "")
    #expect(try value(.string("x"), path: ["c", "a"]) == "")
  }

  @Test func longValuesAreNotCut() throws {
    #expect(try value(.string(String(repeating: "a", count: 4_096)))?.utf8.count == 4_096)
    #expect(try value(.string(String(repeating: "a", count: 4_097))) == nil)
    #expect(try value(.string(String(repeating: "é", count: 700))) == nil)
  }
}

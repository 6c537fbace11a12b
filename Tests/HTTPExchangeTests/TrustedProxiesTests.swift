internal import HTTPExchange
internal import Testing
internal import TokenSecurityPlatform

/// The client of a request behind proxies, and ranges of addresses.
@Suite struct TrustedProxiesTests {
  static func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text[...])) }

  static func client(
    _ peer: String, for forwardedFor: [String] = [], _ forwarded: [String] = [],
    trusting ranges: [String] = ["10.0.0.0/8", "2001:db8::/32"]
  ) throws -> String {
    let proxies = TrustedProxies(try ranges.map { try #require(IPAddressRange($0)) })
    let client = proxies.client(
      of: try address(peer), forwardedFor: forwardedFor, forwarded: forwarded)
    return client.isAgreed ? client.address.text : "\(client.address.text) (different clients)"
  }

  @Test(arguments: [
    ("192.0.2.1", "203.0.113.9", "192.0.2.1"), ("10.1.1.1", "203.0.113.9", "203.0.113.9"),
    ("::ffff:10.1.1.1", "203.0.113.9", "203.0.113.9"), ("2001:db8::5", "203.0.113.9", "203.0.113.9"),
    ("10.1.1.1", "198.51.100.1, 203.0.113.9", "203.0.113.9"),
    ("10.1.1.1", "203.0.113.9, 10.2.2.2", "203.0.113.9"),
    ("10.1.1.1", "203.0.113.9, ::ffff:10.2.2.2", "203.0.113.9"),
    ("10.1.1.1", "::ffff:203.0.113.9", "203.0.113.9"), ("10.1.1.1", "10.2.2.2", "10.2.2.2"),
    ("10.1.1.1", "10.3.3.3,10.2.2.2", "10.3.3.3"), ("10.1.1.1", "203.0.113.9:8080", "203.0.113.9"),
    ("10.1.1.1", "2001:DB9::1", "2001:db9::1"), ("10.1.1.1", "[2001:db9::1]:443", "2001:db9::1"),
    ("10.1.1.1", "[2001:db9::1]", "2001:db9::1"), ("10.1.1.1", "203.0.113.9, ,", "203.0.113.9"),
    ("10.1.1.1", "", "10.1.1.1"), ("10.1.1.1", "unknown", "10.1.1.1"),
    ("10.1.1.1", "203.0.113.9, unknown, 10.2.2.2", "10.2.2.2"), ("10.1.1.1", "1.2.3", "10.1.1.1"),
    ("10.1.1.1", "0300.1.1.1", "10.1.1.1"), ("10.1.1.1", "203.0.113.9:http", "10.1.1.1"),
    ("10.1.1.1", "203.0.113.9:123456", "10.1.1.1"), ("10.1.1.1", "[203.0.113.9]", "10.1.1.1"),
    ("10.1.1.1", "[::1", "10.1.1.1"), ("10.1.1.1", "::1%lo", "10.1.1.1"),
    ("10.1.1.1", "203.0.113.9\0", "10.1.1.1"), ("10.1.1.1", "::1\0x", "10.1.1.1"),
    ("10.1.1.1", "\"203.0.113.9\"", "10.1.1.1"), ("10.1.1.1", "٢٠٣.0.113.9", "10.1.1.1"),
  ])
  func forwardedForIsReadFromTheRight(_ peer: String, _ value: String, _ expected: String) throws {
    #expect(try Self.client(peer, for: [value]) == expected)
  }

  @Test func linesAreOneList() throws {
    #expect(try Self.client("10.1.1.1", for: ["198.51.100.1", "203.0.113.9"]) == "203.0.113.9")
    #expect(try Self.client("10.1.1.1", for: ["203.0.113.9", "10.2.2.2"]) == "203.0.113.9")
  }

  @Test(arguments: [
    ("for=203.0.113.9", "203.0.113.9"), ("For=\"[2001:db9::1]:4711\";proto=https", "2001:db9::1"),
    ("proto=https;by=203.0.113.43;FOR=203.0.113.9", "203.0.113.9"),
    ("for=198.51.100.1, for=203.0.113.9", "203.0.113.9"),
    ("for=203.0.113.9;host=\"a,b;c\", for=10.2.2.2", "203.0.113.9"),
    ("for=\"203.0.113.9:80\"", "203.0.113.9"), ("for=unknown", "10.1.1.1"), ("for=_hidden", "10.1.1.1"),
    ("proto=https", "10.1.1.1"), ("for=203.0.113.9;for=198.51.100.1", "10.1.1.1"), ("for", "10.1.1.1"),
    // The client's open quote does not reach the proxy's entry.
    ("for=\"198.51.100.1, for=203.0.113.9", "203.0.113.9"),
    ("for=\"198.51.100.1, for=\"203.0.113.9\"", "203.0.113.9"),
    // A quoted pair in a proxy's entry: nothing of it is used.
    ("for=203.0.113.9;host=\"x\\\", for=198.51.100.1, b=\\\"c\"", "10.1.1.1"),
    ("for=203.0.113.9;host=\"x\\\", for=198.51.100.1;b=\\\"\"", "10.1.1.1"),
    ("for=203.0.113.9\"", "10.1.1.1"), ("for=\"\"", "10.1.1.1"), ("for=\"", "10.1.1.1"),
  ])
  func forwardedIsReadFromTheRight(_ value: String, _ expected: String) throws {
    #expect(try Self.client("10.1.1.1", [value]) == expected)
    #expect(try Self.client("192.0.2.1", [value]) == "192.0.2.1")
  }

  @Test func bothFieldsMustAgree() throws {
    #expect(try Self.client("10.1.1.1", for: ["203.0.113.9"], ["for=203.0.113.9"]) == "203.0.113.9")
    #expect(
      try Self.client("10.1.1.1", for: ["203.0.113.9"], ["for=198.51.100.1"])
        == "10.1.1.1 (different clients)")
    #expect(
      try Self.client("10.1.1.1", for: ["203.0.113.9"], ["garbage"]) == "10.1.1.1 (different clients)")
  }

  /// A client whom a proxy does not name is not the proxy, which makes requests of its own, as health checks.
  @Test(
    arguments: [
      ([], [], true), (["203.0.113.9"], [], true), (["10.2.2.2"], [], true), (["unknown"], [], false),
      (["203.0.113.9, unknown"], [], false), (["unknown, 10.2.2.2"], [], false), ([""], [], false),
      ([], ["for=_hidden"], false), ([], [""], false), (["203.0.113.9"], ["for=203.0.113.9"], true),
      (["203.0.113.9"], ["for=198.51.100.1"], false), (["203.0.113.9"], [""], false),
      (["10.1.1.1"], ["for=unknown"], false), (["unknown"], ["for=10.1.1.1"], false),
      (Array(repeating: "10.2.2.2", count: TrustedProxies.entryLimit + 1), [], false),
    ] as [([String], [String], Bool)])
  func clientsAreNamedOrNot(_ forwardedFor: [String], _ forwarded: [String], _ isNamed: Bool) throws {
    let proxies = TrustedProxies([try #require(IPAddressRange("10.0.0.0/8"))])
    let client = proxies.client(
      of: try Self.address("10.1.1.1"), forwardedFor: forwardedFor, forwarded: forwarded)
    #expect(client.isNamed == isNamed)
  }

  @Test func clientsThatAreNotNamedAreNotTheProxy() throws {
    for text in ["10.1.1.1", "::ffff:10.1.1.1", "2001:db8::1"] {
      let proxy = try Self.address(text)
      let unnamed = ClientAddress(unnamedBehind: proxy)
      #expect(unnamed != ClientAddress(proxy) && unnamed.bytes != ClientAddress(proxy).bytes)
      #expect(unnamed == ClientAddress(unnamedBehind: proxy.unmapped))
      #expect(unnamed != ClientAddress(unnamedBehind: try Self.address("10.1.1.2")))
    }
  }

  @Test func listsAndEntriesAreBounded() throws {
    let proxies = Array(repeating: "10.2.2.2", count: TrustedProxies.entryLimit - 1)
    #expect(
      try Self.client("10.1.1.1", for: [(["203.0.113.9"] + proxies).joined(separator: ",")]) == "203.0.113.9")
    #expect(
      try Self.client("10.1.1.1", for: [(["203.0.113.9", "10.3.3.3"] + proxies).joined(separator: ",")])
        == "10.3.3.3")
    #expect(try Self.client("10.1.1.1", for: [String(repeating: ",", count: 60_000)]) == "10.1.1.1")
    let spaces = String(repeating: " ", count: TrustedProxies.entrySize)
    #expect(try Self.client("10.1.1.1", for: ["203.0.113.9," + spaces + "198.51.100.1"]) == "10.1.1.1")
    #expect(try Self.client("10.1.1.1", for: [spaces + spaces + ",203.0.113.9"]) == "203.0.113.9")
  }

  @Test(arguments: [
    "", "/", "10.0.0.0/", "/8", "10.0.0.0/0", "0.0.0.0/0", "::/0", "10.0.0.0/33", "10.0.0.1/8", "10.0.0.0/08",
    "10.0.0.0/+8", "10.0.0/8", "2001:db8::/129", "2001:db8::1/64", "::ffff:0:0/96", "::ffff:10.0.0.0/90",
    "10.0.0.0/8/8", "fe80::1%eth0", "example.com", "[::1/128", "::1\0", "10.0.0.0/٨",
  ])
  func malformedRangesAreRefused(_ text: String) { #expect(IPAddressRange(text) == nil) }

  @Test(arguments: [
    ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false),
    ("10.0.0.0/8", "::ffff:10.0.0.1", true), ("::ffff:10.0.0.0/104", "10.9.9.9", true),
    ("::ffff:10.0.0.0/104", "11.0.0.0", false), ("192.0.2.1", "192.0.2.1", true),
    ("192.0.2.1", "192.0.2.0", false), ("2001:db8::/33", "2001:db8:7fff::1", true),
    ("2001:db8::/33", "2001:db8:8000::", false), ("::1", "::1", true), ("::1", "127.0.0.1", false),
    ("128.0.0.0/1", "::1", false), ("8000::/1", "ffff::", true),
  ])
  func rangesContainTheirAddresses(_ range: String, _ address: String, _ isIn: Bool) throws {
    #expect(try #require(IPAddressRange(range)).contains(try Self.address(address)) == isIn)
  }
}

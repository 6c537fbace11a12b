internal import HTTPExchange
internal import Testing

/// The accepted URLs, and those of this machine.
@Suite struct HTTPURLTests {
  /// Hosts that resolvers read as different IPv4 addresses.
  @Test(arguments: [
    "0127.0.0.1", "127.0.0.01", "127.1", "127.0.1", "2130706433", "017700000001", "0x7f000001", "0x7f.1",
    "127.0.0.0x1",
    "0X7F.0.0.1", "0x", "1.2.3.0x", "256.0.0.1", "1.2.3.4.5", "127.0.0.1.", "08.8.8.8", "1.2.3.09", "a.1",
    "evil.example.0177",
    "[::ffff:127.0.0.01]", "[:::]", "[1:2:3:4:5:6:7]", "[12345::]", "[::1%25lo]", "[]", "[::]]", "[[::]",
  ])
  func hostsThatResolversReadDifferentlyAreRefused(_ host: String) {
    for text in ["http://\(host)/", "https://\(host):8443/jwks"] {
      #expect { try HTTPURL(text) } throws: { ($0 as? TransportError)?.code == .addressInvalid }
    }
  }

  @Test(arguments: [
    ("http://127.0.0.1/", true), ("http://127.255.255.255:80/", true), ("http://localhost/", true),
    ("http://LOCALHOST/", true), ("http://[::1]/", true), ("http://[0:0:0:0:0:0:0:1]/", true),
    ("http://[::2]/", false),
    ("http://127.0.0.1.example/", false), ("http://10.0.0.1/", false), ("http://a.localhost/", false),
    ("http://128.0.0.1/", false), ("http://0.0.0.0/", false), ("http://1e100.example/", false),
  ])
  func thisMachineIsRecognized(_ text: String, _ isLoopback: Bool) throws {
    #expect(try HTTPURL(text).isLoopback == isLoopback)
  }

  @Test(arguments: [
    ("https://a.example", "a.example", 443, "/", nil),
    ("HTTPS://A.Example:8443/p?q=%20", "a.example", 8_443, "/p", "q=%20"),
    ("http://[::1]:80/", "[::1]", 80, "/", nil), ("https://a.example?x", "a.example", 443, "/", "x"),
  ])
  func addressesAreTakenApart(_ text: String, _ host: String, _ port: Int, _ path: String, _ query: String?)
    throws
  {
    let address = try HTTPURL(text)
    #expect(address.host == host)
    #expect(address.port == port)
    #expect(address.path == path)
    #expect(address.query == query)
    #expect(address.description == text.replacing(/^HTTPS/, with: "https"))
  }

  /// URLs whose scheme fetches may compare by its bytes, so that secure requests would be sent in plain text.
  @Test(arguments: [
    ("HTTPS://A.Example/P?Q", "https://A.Example/P?Q"), ("httpS://a.example", "https://a.example"),
    ("HTTP://LOCALHOST:80", "http://LOCALHOST:80"), ("Http://[::1]/", "http://[::1]/"),
  ])
  func theSchemeIsInLowerCase(_ text: String, _ expected: String) throws {
    #expect(try HTTPURL(text).description == expected)
    #expect(try HTTPURL(text) == HTTPURL(expected))
  }

  @Test(arguments: [
    "", "a.example", "ftp://a.example", "https://", "https:///x", "https://user@a.example",
    "https://a.example:0",
    "https://a.example:65536", "https://a.example:x", "https://a.example:", "https://a.example/#f",
    "https://a.example\\@b.example", "https://a.example/%", "https://a.example/%2", "https://a.example/%zz",
    "https://a b.example", "https://a.example/\n", "https://-a.example", "https://a..example",
    "https://é.example",
    "https://[::1", "https://[x]/", "https://a.example/\u{7F}",
    "https://" + String(repeating: "a", count: 3_000),
  ])
  func addressesInAnyOtherFormAreRefused(_ text: String) {
    #expect { try HTTPURL(text) } throws: { ($0 as? TransportError)?.code == .addressInvalid }
  }

  @Test(arguments: [
    "https://user:hidden@a.example/", "https://user:hid/den@a.example/", "http://hidden^@a.example",
    "user:hidden@a.example", "hidden@a.example", "x:hidden@", "ftp://hidden@a.example",
    "https://é:hidden@a.example", "https://hidden@" + String(repeating: "a", count: 3_000),
  ])
  func errorsDoNotRepeatCredentials(_ text: String) {
    #expect {
      try HTTPURL(text)
    } throws: {
      !"\($0)".contains("hi") && !"\($0)".contains("den@")
    }
  }
}

@testable internal import CognitoIdentityClient
internal import Foundation
internal import SigV4
internal import Testing
internal import TokenSecurityBase

/// Addresses, regions, pools and names are compared by bytes.
@Suite struct ClientNameTests {
  static let good = [
    "https://id.example", "https://id.example:8443", "https://ID.Example", "https://a_b.internal",
    "https://10.0.0.1:443", "https://[2001:db8::1]", "https://[2001:db8::1]:65535", "https://localhost",
    "http://127.0.0.1", "http://127.0.0.1:8008", "http://localhost:1", "http://[::1]", "http://[::1]:1",
  ]

  @Test(arguments: good) func addresses(_ address: String) throws {
    let endpoint = try IdentityEndpoint(address: address, region: "us-east-1")
    #expect(endpoint.identity == address && endpoint.tokens == address)
    #expect(IdentityEndpoint.host(address) == String(address.dropFirst(address.hasPrefix("https") ? 8 : 7)))
  }

  static let bad = [
    "", "https://", "http://", "https:///", "id.example", "ftp://id.example", "HTTPS://id.example",
    "https://id.example/", "https://id.example/path", "https://id.example?q", "https://id.example#f",
    "https://id.example\\path", "https://user@id.example", "https://user:p@id.example", "https://id.example:",
    "https://id.example:0", "https://id.example:00443", "https://id.example:65536",
    "https://id.example:99999999999999999999", "https://id.example:443x", "https://id.example:+443",
    "https://id.example:443:443", "https://id..example", "https://.example", "https://id.example.",
    "https://-id.example", "https://id-.example", "https://id example", "https://id.example ",
    "https://id%2eexample", "https://\u{212A}.example", "https://id.exa\u{301}mple", "https://１27.0.0.1",
    "https://0127.0.0.1", "https://127.1", "https://2130706433", "https://0x7f000001", "https://0x7f.0.0.1",
    "https://127.0.0.256", "https://127.0.0.1.2", "https://[::1", "https://[]", "https://[::1]x",
    "https://[::1%25lo]", "https://[fe80::1%lo]", "https://[::ffff:127.0.0.1]", "https://[v1.a]",
    "https://[\u{FF11}::]",
    // Plain HTTP for another machine, or for a name that looks like this one.
    "http://id.example", "http://localhost:x@evil.example", "http://localhost@evil.example",
    "http://127.0.0.1:80@evil.example", "http://[::1]:80@evil.example", "http://127.0.0.1.evil.example",
    "http://localhost.evil.example", "http://LOCALHOST", "http://localhost.", "http://0127.0.0.1",
    "http://127.1", "http://127.0.0.2", "http://0.0.0.0", "http://[::]", "http://[0:0:0:0:0:0:0:1]",
    "http://loca\u{301}lhost", "http://localhost:", "http://localhost:x", "http:/\u{338}/localhost",
    "https://" + String(repeating: "a", count: 64) + ".example",
    "https://" + String(repeating: "a.", count: 130) + "example",
    "https://" + String(repeating: "a", count: 1 << 20),
  ]

  @Test(arguments: bad) func addressesThatAreRefused(_ address: String) {
    #expect(
      Self.code { _ = try IdentityEndpoint(address: address, region: "us-east-1") } == .configurationInvalid)
  }

  static func code(_ body: () throws -> Void) -> IdentityClientError.Code? {
    do { try body() } catch let fault as IdentityClientError { return fault.code } catch { return nil }
    return nil
  }

  @Test func regionsAndPools() throws {
    for region in ["us-east-1", "us-gov-west-1", "cn-north-1", "ap-southeast-4"] {
      #expect(try IdentityEndpoint(region: region).region == region)
    }
    for region in [
      "", "us", "us-east", "us--", "us-iso-east-1", "eusc-de-east-1", "a-b-c", "US-east-1",
      "us-east-1\u{301}", "us-east-\u{FF11}",
      "us-east-1.evil.example",
      "us-east-1/", String(repeating: "a-b-c", count: 7), String(repeating: "a-", count: 1 << 20),
    ] {
      #expect(Self.code { _ = try IdentityEndpoint(region: region) } == .configurationInvalid)
    }
    for region in ["", "US", "us east", "\u{212A}", String(repeating: "a", count: 33)] {
      #expect(
        Self.code { _ = try IdentityEndpoint(address: "https://id.example", region: region) }
          == .configurationInvalid)
    }
    let calls = IdentityCalls(
      endpoint: try IdentityEndpoint(address: "https://id.example", region: "us-west-2"),
      transport: GuestService())
    #expect(Self.code { _ = try IdentityProvider(poolID: "us-west-2:a", calls: calls) } == nil)
    for pool in [
      "", "us-west-2", "us-west-2:", ":a", "\u{212A}:a", "US-west-2:a", "us-west-2\u{301}:a",
      "us-west-2:\u{212A}", "us-west-2:a b", "us-west-2:a\"", "us-west-22:a",
      "us-west-2:" + String(repeating: "a", count: 119),
      "us-west-2:" + String(repeating: "a", count: 1 << 20),
    ] {
      #expect(Self.code { _ = try IdentityProvider(poolID: pool, calls: calls) } == .configurationInvalid)
    }
  }

  /// A developer provider is not called for a login with a similar name in other bytes.
  @Test(arguments: [("login.Kunden", "login.\u{212A}unden"), ("login.ren\u{E9}", "login.rene\u{301}")])
  func providersByTheirBytes(_ name: String, _ other: String) async throws {
    struct Named: DeveloperProvider {
      let name: String
      func refresh(
        identityID: String?, logins: [String: String]
      ) async throws(IdentityClientError) -> IdentityCalls.IdentityToken { throw .developerFailed("asked") }
    }
    for (login, code) in [(name, IdentityClientError.Code.developerFailed), (other, nil)] {
      let service = GuestService()
      let provider = try IdentityProvider(
        poolID: IdentityProviderTests.pool,
        calls: IdentityCalls(endpoint: try IdentityEndpoint(region: "us-east-1"), transport: service),
        logins: StaticLogins([login: "jane"]), developer: Named(name: name))
      #expect(await IdentityKeepingTests.code { _ = try await provider.identityID() } == code)
      #expect(service.asked == (code == nil ? ["GetId"] : []))
    }
    #expect([name: "a"].hasSameLogins(as: [name: "a"]))
    #expect(![name: "a"].hasSameLogins(as: [other: "a"]))
    #expect(![name: "K"].hasSameLogins(as: [name: "\u{212A}"]))
    #expect(
      StoredIdentity(poolID: "K", identityID: "a") != StoredIdentity(poolID: "\u{212A}", identityID: "a"))
  }

  static let identities: [(String, IdentityClientError.Code?)] = [
    ("us-east-1:a", nil), ("us-east-1:" + String(repeating: "a", count: 45), nil),
    ("us-east-1:" + String(repeating: "a", count: 46), .responseMalformed),
    ("us-east-1:g", .responseMalformed),
    ("us-east-1:A", .responseMalformed), ("a", .responseMalformed), ("a:a:a", .responseMalformed),
    (String(repeating: "a", count: 200_000), .responseMalformed), ("us-east-1:\u{212A}", .responseMalformed),
    ("us-east-1:e\u{301}", .responseMalformed), ("a b", .responseMalformed), ("a\n", .responseMalformed),
  ]

  /// An identity id is stored and sent again: its length and characters are checked.
  @Test(arguments: identities) func identitiesThatAreTaken(
    _ id: String, _ expected: IdentityClientError.Code?
  )
    async throws
  {
    let body = String(decoding: JSONWriter.write(["IdentityId": .string(id)] as JSONObject), as: UTF8.self)
    let calls = IdentityCalls(
      endpoint: try IdentityEndpoint(region: "us-east-1"),
      transport: ServiceResponseTests.Fixed(status: 200, body: body))
    let code = await IdentityKeepingTests.code { _ = try await calls.identityID(poolID: "us-east-1:x") }
    #expect(code == expected)
    let developer = FakeDeveloper()
    developer.set(identity: id)
    let provider = try IdentityProvider(
      poolID: IdentityProviderTests.pool, calls: calls, logins: StaticLogins(["login.my.app": "jane"]),
      developer: developer)
    #expect(
      await IdentityKeepingTests.code { _ = try await provider.identityID() }
        == (expected == nil ? nil : .developerFailed))
  }

  @Test func namesOfErrors() async throws {
    for (type, name) in [
      ("a#NotAuthorizedException", "NotAuthorizedException"), ("a#b#X", "X"), ("", ""),
      ("X\u{301}#\u{301}Y", "\u{301}Y"),
    ] {
      let body = String(decoding: JSONWriter.write(["__type": .string(type)] as JSONObject), as: UTF8.self)
      let calls = IdentityCalls(
        endpoint: try IdentityEndpoint(region: "us-east-1"),
        transport: ServiceResponseTests.Fixed(status: 400, body: body))
      await #expect(throws: IdentityClientError.refused(type: name, message: "")) {
        _ = try await calls.identityID(poolID: "us-east-1:x")
      }
    }
  }

  /// A pipe instead of the file does not block.
  @Test func pipesAreNoState() throws {
    let path = FileManager.default.temporaryDirectory.path + "/identity-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let status = unsafe mkfifo(path, 0o600)
    #expect(status == 0)
    #expect(Self.code { _ = try IdentityStateFile(path: path).load() } == .stateUnavailable)
  }
}

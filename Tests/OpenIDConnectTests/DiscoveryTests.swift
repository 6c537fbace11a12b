internal import JOSE
internal import OpenIDConnect
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// Provider metadata and the addresses in it.
@Suite struct DiscoveryTests {
  let fetcher = ScriptedFetcher()
  let clock = SettableClock()

  static func description(issuer: String = "https://op.example", keys: String = "https://keys.example/set")
    -> String
  {
    JSONValue.object([
      "issuer": .string(issuer), "jwks_uri": .string(keys),
      "id_token_signing_alg_values_supported": ["RS256", "ES256", "future"],
    ]).description
  }

  private func set(_ issuer: String) -> RemoteKeySet {
    let clock = self.clock
    return RemoteKeySet(
      .discovery(issuer: issuer), transport: fetcher, configuration: RemoteKeySetConfiguration(),
      logger: .silent
    ) { clock.seconds }
  }

  @Test(arguments: [
    ("https://op.example", "https://op.example/.well-known/openid-configuration"),
    ("https://op.example/", "https://op.example/.well-known/openid-configuration"),
    ("https://op.example/tenant/1", "https://op.example/tenant/1/.well-known/openid-configuration"),
  ])
  func keysAreAtTheDiscoveredAddress(_ name: String, _ address: String) async throws {
    let issuer = try Issuer(name, kid: "one")
    fetcher.answer(address, Self.description(issuer: name), cacheControl: "max-age=1000")
    fetcher.answer("https://keys.example/set", Issuer.set(issuer), cacheControl: "max-age=100", tag: "\"t\"")
    let set = set(name)
    try await set.prefetch()
    #expect(set.cached?.keys.map(\.keyID) == ["one"])
    // The metadata is cached for its lifetime and then fetched again.
    clock.advance(by: .seconds(100))
    try await set.prefetch()
    clock.advance(by: .seconds(900))
    try await set.prefetch()
    let keys = "https://keys.example/set"
    #expect(fetcher.requests.map(\.url.description) == [address, keys, keys, address, keys])
    #expect(fetcher.requests.map { $0.headers["If-None-Match"] } == [nil, nil, "\"t\"", nil, nil])
  }

  @Test func keysThatHaveMovedAreFound() async throws {
    let issuer = try Issuer("https://op.example", kid: "one")
    let address = "https://op.example/.well-known/openid-configuration"
    fetcher.answer(address, Self.description(), cacheControl: "max-age=86400")
    fetcher.answer("https://keys.example/set", Issuer.set(issuer), cacheControl: "max-age=100")
    let set = set("https://op.example")
    try await set.prefetch()
    fetcher.fail("https://keys.example/set", status: 410)
    fetcher.answer(address, Self.description(keys: "https://keys.example/new"))
    fetcher.answer("https://keys.example/new", Issuer.set(try issuer.rotated(to: "two")))
    clock.advance(by: .seconds(100))
    try await set.prefetch()
    clock.advance(by: .seconds(1))
    try await set.prefetch()
    #expect(set.cached?.keys.map(\.keyID) == ["two"])
  }

  /// Metadata that is refused, and the error code.
  @Test(arguments: [
    (description(issuer: "https://op.example/"), "discovery_issuer_mismatch"),
    (description(issuer: "https://evil.example"), "discovery_issuer_mismatch"),
    (description(keys: "http://keys.example/set"), "fetch_not_secure"),
    (description(keys: "file:///etc/passwd"), "discovery_invalid"),
    (description(keys: "https://keys.example/a b"), "discovery_invalid"),
    (#"{"issuer":"https://op.example"}"#, "discovery_invalid"),
    (#"{"jwks_uri":"https://keys.example/set"}"#, "discovery_invalid"),
    (
      #"{"issuer":"https://op.example","issuer":"https://op.example","jwks_uri":"https://k.example"}"#,
      "discovery_invalid"
    ),
    ("[]", "discovery_invalid"), ("", "discovery_invalid"),
  ])
  func invalidMetadataIsRefused(_ text: String, _ code: String) async throws {
    fetcher.answer("https://op.example/.well-known/openid-configuration", text)
    fetcher.answer("http://keys.example/set", Issuer.set(try Issuer("https://op.example", kid: "one")))
    await #expect { try await set("https://op.example").prefetch() } throws: {
      ($0 as? OpenIDError)?.codeText == code
    }
  }

  @Test func issuersMustBeURLs() async throws {
    for issuer in [
      "accounts.google.com", "http://op.example", "https://op.example?x=1", "https://op.example#x",
    ] {
      await #expect { try await set(issuer).prefetch() } throws: {
        let code = ($0 as? OpenIDError)?.codeText
        return code == "discovery_invalid" || code == "fetch_not_secure"
      }
    }
    #expect(fetcher.count == 0)
  }

  @Test func metadataHasAlgorithms() throws {
    let metadata = try ProviderMetadata(Array(Self.description().utf8), issuer: "https://op.example")
    #expect(metadata.idTokenAlgorithms == [.rs256, .es256])
    #expect(metadata.keySetAddress.host == "keys.example")
    #expect(metadata.members.names.count == 3)
  }
}

internal import JOSE
internal import OpenIDConnect
internal import Synchronization
internal import Testing

/// Rules for addresses, and the errors of refused ones.
@Suite struct AddressTests {
  private func code(
    _ address: String, _ rule: AddressRule, _ fetcher: ScriptedFetcher
  ) async throws -> String? {
    var configuration = RemoteKeySetConfiguration()
    configuration.addresses = rule
    configuration.allowsPlainLoopback = true
    let set = RemoteKeySet(.address(try HTTPURL(address)), transport: fetcher, configuration: configuration)
    do throws(OpenIDError) {
      try await set.prefetch()
      return nil
    } catch { return error.codeText }
  }

  @Test(arguments: [
    "https://127.0.0.1/", "http://localhost/", "https://localhost:8443/", "https://a.localhost/",
    "https://10.1.2.3/",
    "https://172.16.0.1/", "https://172.31.255.255/", "https://192.168.0.1/",
    "https://169.254.169.254/latest",
    "https://100.64.0.1/", "https://0.0.0.0/", "https://224.0.0.1/", "https://255.255.255.255/",
    "https://198.19.0.1/",
    "https://[::1]/", "https://[::]/", "https://[fe80::1]/", "https://[fd00:ec2::254]/", "https://[fc00::1]/",
    "https://[::ffff:10.0.0.1]/".replacing("10.0.0.1", with: "a00:1"), "https://[64:ff9b::a9fe:a9fe]/",
    "https://[64:ff9b:1::808:808]/", "https://[64:ff9b:1:a9fe:a9:fe00:808:808]/",
    "https://[64:ff9b::1:808:808]/",
    "https://[2002:7f00:1::]/", "https://[2001:db8::1]/", "https://[ff02::1]/", "https://[::7f00:1]/",
    "https://intranet/", "https://kubernetes.default.svc/", "https://localhost6.localdomain6/",
    "https://metadata.google.internal/", "https://printer.local/", "https://router.home.arpa/",
  ])
  func onlyPublicAddressesAreFetched(_ address: String) async throws {
    let fetcher = ScriptedFetcher()
    #expect(try await code(address, .publicAddressesOnly, fetcher) == "fetch_address_refused")
    #expect(fetcher.count == 0)
    // Without a rule the operator's settings decide.
    #expect(try await code(address, .any, fetcher) == "fetch_status")
  }

  @Test(arguments: [
    "https://issuer.example/", "https://8.8.8.8/", "https://172.32.0.1/", "https://[2606:4700::1]/",
    "https://[2002:808:808::]/", "https://[64:ff9b::808:808]/", "https://100.128.0.1/",
    "https://internal.example.com/",
  ])
  func publicAddressesAreFetched(_ address: String) async throws {
    let fetcher = ScriptedFetcher()
    fetcher.answer(address, Issuer.set(try Issuer("https://issuer.example", kid: "one")))
    #expect(try await code(address, .publicAddressesOnly, fetcher) == nil)
  }

  /// The first and the last address of each range of IANA's registries of special-purpose addresses.
  @Test(arguments: [
    ("0.0.0.0", "0.255.255.255"), ("10.0.0.0", "10.255.255.255"), ("100.64.0.0", "100.127.255.255"),
    ("127.0.0.0", "127.255.255.255"), ("169.254.0.0", "169.254.255.255"), ("172.16.0.0", "172.31.255.255"),
    ("192.0.0.0", "192.0.0.255"), ("192.0.2.0", "192.0.2.255"), ("192.88.99.0", "192.88.99.255"),
    ("192.168.0.0", "192.168.255.255"), ("198.18.0.0", "198.19.255.255"), ("198.51.100.0", "198.51.100.255"),
    ("203.0.113.0", "203.0.113.255"), ("224.0.0.0", "239.255.255.255"), ("240.0.0.0", "255.255.255.255"),
    ("[100::]", "[1fff:ffff::]"), ("[4000::]", "[7fff:ffff::]"), ("[8000::]", "[ffff:ffff::]"),
    ("[2001::]", "[2001:1ff:ffff::]"), ("[2001:db8::]", "[2001:db8:ffff::]"),
    ("[3fff::]", "[3fff:fff:ffff::]"),
  ])
  func rangesAreRefusedFromEndToEnd(_ first: String, _ last: String) async throws {
    for host in [first, last] {
      let fetcher = ScriptedFetcher()
      #expect(
        try await code("https://\(host)/", .publicAddressesOnly, fetcher) == "fetch_address_refused",
        "\(host)")
    }
  }

  /// The addresses next to these ranges.
  @Test(arguments: [
    "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
    "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0",
    "192.0.3.0", "192.88.98.255", "192.88.100.0", "192.167.255.255", "192.169.0.0", "198.17.255.255",
    "198.20.0.0", "198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0", "223.255.255.255",
    "[2000::]", "[2000:ffff::]", "[2001:200::]", "[2001:db7:ffff::]", "[2001:db9::]", "[3ffe:ffff::]",
    "[3fff:1000::]",
  ])
  func neighboursOfTheRangesAreFetched(_ host: String) async throws {
    let fetcher = ScriptedFetcher()
    #expect(try await code("https://\(host)/", .publicAddressesOnly, fetcher) == "fetch_failed")
    #expect(fetcher.count == 1)
  }

  @Test func aRuleSeesEachAddress() async throws {
    let seen = Mutex<[String]>([])
    let fetcher = ScriptedFetcher()
    let description = "https://op.example/.well-known/openid-configuration"
    fetcher.answer(description, DiscoveryTests.description(keys: "https://10.0.0.1/keys"))
    var configuration = RemoteKeySetConfiguration()
    configuration.addresses = AddressRule { address in
      seen.withLock { $0.append(address.description) }
      return address.host == "10.0.0.1" ? "it is ours" : nil
    }
    let set = RemoteKeySet(
      .discovery(issuer: "https://op.example"), transport: fetcher, configuration: configuration)
    await #expect(
      throws: OpenIDError.keysUnavailable(
        address: "https://op.example",
        .transport(.addressRefused(address: "https://10.0.0.1/keys", reason: "it is ours"))
      )
    ) { try await set.prefetch() }
    #expect(seen.withLock { $0 } == [description, "https://10.0.0.1/keys"])
    #expect(fetcher.count == 1)
  }

  /// With a rule, errors do not say how an address responded: the caller could probe the network.
  @Test(
    arguments: [
      (Result.success(ScriptedFetcher.response("", status: 403)), "fetch_status"),
      (
        .success(ScriptedFetcher.response("", status: 302, location: "https://secret.example")),
        "fetch_redirect"
      ),
      (.success(ScriptedFetcher.response("", type: "text/html")), "fetch_web_page"),
      (.failure(TransportError.connection("refused")), "fetch_connection"),
      (.failure(.timeout(.seconds(5))), "fetch_timeout"), (.failure(.tooLarge(limit: 1)), "fetch_too_large"),
      (.success(ScriptedFetcher.response("secret")), "fetch_unreadable"),
      (.success(ScriptedFetcher.response(#"{"keys":[{},{},{}]}"#)), "fetch_no_usable_key"),
      (
        .success(
          ScriptedFetcher.response(
            #"{"keys":["# + Array(repeating: "{}", count: 257).joined(separator: ",") + "]}")),
        "fetch_too_many_keys"
      ),
    ] as [(Result<TransportResponse, TransportError>, String)])
  func errorsDoNotRevealResponses(_ result: Result<TransportResponse, TransportError>, _ code: String)
    async throws
  {
    let address = "https://op.example/keys"
    let fetcher = ScriptedFetcher()
    fetcher.answer(address) { _ in result }
    #expect(try await self.code(address, .publicAddressesOnly, fetcher) == "fetch_failed")
    #expect(try await self.code(address, AddressRule { _ in nil }, fetcher) == "fetch_failed")
    #expect(try await self.code(address, .any, fetcher) == code)
  }

  /// Errors do not reveal the issuer's metadata either.
  @Test(arguments: [
    ("{}", "discovery_invalid"), (#"{"issuer":"secret"}"#, "discovery_issuer_mismatch"),
  ])
  func errorsDoNotRevealMetadata(_ description: String, _ code: String) async throws {
    for (rule, shown) in [(AddressRule.publicAddressesOnly, "fetch_failed"), (.any, code)] {
      let fetcher = ScriptedFetcher()
      fetcher.answer("https://op.example/.well-known/openid-configuration", description)
      var configuration = RemoteKeySetConfiguration()
      configuration.addresses = rule
      let set = RemoteKeySet(
        .discovery(issuer: "https://op.example"), transport: fetcher, configuration: configuration)
      await #expect { try await set.prefetch() } throws: { ($0 as? OpenIDError)?.codeText == shown }
    }
  }

  @Test func severalIssuersNeedKeys() throws {
    let fetcher = ScriptedFetcher()
    let names = ["https://a.example", "https://b.example"]
    let trusted: [TrustedIssuer] = [
      .openIDProvider(IDTokenRules(issuers: names, clientIDs: ["c"])),
      .logout(LogoutTokenRules(issuers: names, clientIDs: ["c"]) { _, _, _ in true }),
      .authorizationServer(
        AccessTokenRules(issuers: names, audiences: ["api"], clientIDs: .unchecked(because: "any"))),
    ]
    for issuer in trusted {
      #expect {
        try OpenIDVerifier([issuer], transport: fetcher)
      } throws: { ($0 as? OpenIDError)?.codeText == "verifier_invalid" }
      var given = issuer
      given.keys = .remote(.address(try HTTPURL("https://keys.example/")))
      _ = try OpenIDVerifier([given], transport: fetcher)
    }
    _ = try OpenIDVerifier(
      names.map { .openIDProvider(IDTokenRules(issuers: [$0], clientIDs: ["c"])) }, transport: fetcher)
  }
}

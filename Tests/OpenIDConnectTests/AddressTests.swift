internal import JOSE
internal import OpenIDConnect
internal import Synchronization
internal import Testing

/// Which addresses are read, which are this machine, and which may be fetched.
@Suite struct AddressTests {
  /// Hosts that resolvers read as an IPv4 address in more than one way, or not as it looks.
  @Test(arguments: [
    "0127.0.0.1", "127.0.0.01", "127.1", "127.0.1", "2130706433", "017700000001", "0x7f000001", "0x7f.1",
    "127.0.0.0x1",
    "0X7F.0.0.1", "0x", "1.2.3.0x", "256.0.0.1", "1.2.3.4.5", "127.0.0.1.", "08.8.8.8", "1.2.3.09", "a.1",
    "evil.example.0177",
    "[::ffff:127.0.0.01]", "[:::]", "[1:2:3:4:5:6:7]", "[12345::]", "[::1%25lo]", "[]", "[::]]", "[[::]",
  ])
  func hostsThatResolversReadDifferentlyAreRefused(_ host: String) {
    for text in ["http://\(host)/", "https://\(host):8443/jwks"] {
      #expect { try WebAddress(text) } throws: { ($0 as? OpenIDError)?.codeName == "address_invalid" }
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
    #expect(try WebAddress(text).isLoopback == isLoopback)
  }

  private func code(
    _ address: String, _ rule: AddressRule, _ fetcher: ScriptedFetcher
  ) async throws -> String? {
    var rules = RemoteKeyRules()
    rules.addresses = rule
    rules.allowsPlainLoopback = true
    let set = RemoteKeySet(.address(try WebAddress(address)), fetcher: fetcher, rules: rules)
    do throws(OpenIDError) {
      try await set.prefetch()
      return nil
    } catch { return error.codeName }
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
    // Without a rule the operator's word counts.
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

  /// Their neighbours.
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
    var rules = RemoteKeyRules()
    rules.addresses = AddressRule { address in
      seen.withLock { $0.append(address.description) }
      return address.host == "10.0.0.1" ? "it is ours" : nil
    }
    let set = RemoteKeySet(.discovery(issuer: "https://op.example"), fetcher: fetcher, rules: rules)
    await #expect(
      throws: OpenIDError.keysUnavailable(
        address: "https://op.example", .addressRefused(address: "https://10.0.0.1/keys", reason: "it is ours")
      )
    ) { try await set.prefetch() }
    #expect(seen.withLock { $0 } == [description, "https://10.0.0.1/keys"])
    #expect(fetcher.count == 1)
  }

  /// With a rule no error says how an address responded: whoever chooses it would learn what is there.
  @Test(arguments: [
    FetchFault.status(403), .redirect(status: 302, location: "https://secret.example"), .webPage,
    .connection("refused"),
    .timeout(.seconds(5)), .tooLarge(limit: 1), .metadata(rule: "x"),
    .metadataIssuer(expected: "a", found: "secret"),
    .unreadable(code: "x", reason: "secret"), .noUsableKey(refused: 3), .tooManyKeys(limit: 3),
  ])
  func whatAnAddressAnsweredIsNotSaid(_ fault: FetchFault) async throws {
    let address = "https://op.example/keys"
    let fetcher = ScriptedFetcher()
    fetcher.fail(address, fault)
    #expect(try await code(address, .publicAddressesOnly, fetcher) == "fetch_failed")
    #expect(try await code(address, AddressRule { _ in nil }, fetcher) == "fetch_failed")
    #expect(try await code(address, .any, fetcher) == fault.code.rawValue)
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
        try OpenIDVerifier([issuer], fetcher: fetcher)
      } throws: { ($0 as? OpenIDError)?.codeName == "verifier_invalid" }
      var given = issuer
      given.keys = .remote(.address(try WebAddress("https://keys.example/")))
      _ = try OpenIDVerifier([given], fetcher: fetcher)
    }
    _ = try OpenIDVerifier(
      names.map { .openIDProvider(IDTokenRules(issuers: [$0], clientIDs: ["c"])) }, fetcher: fetcher)
  }
}

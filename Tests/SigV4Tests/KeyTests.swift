internal import SigV4
internal import Testing
internal import TokenSecurityCrypto

/// Credentials, keys and the key cache.
@Suite struct KeyTests {
  @Test(
    arguments: [
      ("", .accessKeyMalformed), ("AKID/X", .accessKeyMalformed), ("AK ID", .accessKeyMalformed),
      ("AK,ID", .accessKeyMalformed),
      ("AK\nID", .accessKeyMalformed), (String(repeating: "A", count: 129), .accessKeyMalformed),
      ("AKID.x-y_z~", nil),
    ] as [(String, SigV4Error.Code?)])
  func accessKeys(id: String, code: SigV4Error.Code?) {
    #expect(Material.code { _ = try Material.credentials(id) } == code)
  }

  @Test func emptySecretsAndTokens() {
    #expect(Material.code { _ = try Material.credentials(secret: "") } == .secretEmpty)
    for token in ["", "a b", "a\r\nX: y", "é", String(repeating: "a", count: 16_385)] {
      #expect(Material.code { _ = try Material.credentials(token: token) } == .sessionTokenMalformed)
    }
  }

  @Test func noSecretIsEverShown() throws {
    let credentials = try Material.credentials(token: "session-token-text")
    let key = try ScopedSigningKey(credentials, date: Material.now, region: "us-east-1", service: "s3")
    let signer = try Material.signer()
    let signed = try signer.sign(Material.head(), with: credentials, at: Material.now)
    var shown = ""
    dump(credentials, to: &shown)
    dump(key, to: &shown)
    dump(signer, to: &shown)
    dump(VerificationKey.credentials(credentials), to: &shown)
    shown += "\(credentials) \(String(reflecting: credentials)) \(key) \(signed)"
    #expect(!shown.contains(Material.secret) && !shown.contains("K7MDENG"))
    #expect(!"\(credentials)".contains("session-token-text"))
    #expect(key.description == "signing key of AKIDEXAMPLE for 20150830/us-east-1/s3/aws4_request")
  }

  @Test func scopesCannotBeMoved() throws {
    for text in ["", "a/b", "us east", "us-east-1\n", String(repeating: "a", count: 65), "é"] {
      #expect(Material.code { _ = try Signer(service: "s3", region: text) } == .scopePart)
      #expect(Material.code { _ = try Signer(service: text, region: "us-east-1") } == .scopePart)
      #expect(
        Material.code {
          _ = try ScopedSigningKey(Material.credentials(), date: Material.now, region: text, service: "s3")
        } == .scopePart)
    }
    #expect(Material.code { _ = try Signer(service: "s3", regionSet: []) } == .regionSetEmpty)
    #expect(Material.code { _ = try Signer(service: "s3", regionSet: ["a,b"]) } == .scopePart)
  }

  @Test func theCacheIsBounded() throws {
    let cache = SigningKeyCache(capacity: 3)
    let signer = try Signer(service: "s3", region: "us-east-1", cache: cache)
    let credentials = try Material.credentials()
    weak var first: ScopedSigningKey?
    for day in 0..<10 {
      _ = try signer.sign(
        Material.head(), with: credentials, at: Material.now.advanced(bySeconds: Int64(day) * 86_400))
      if day == 0 {
        first = try cache.hmacKey(credentials, date: Material.now, region: "us-east-1", service: "s3")
      }
    }
    #expect(cache.count == 3)
    // No reference to the first one is left: it was wiped.
    #expect(first == nil)
    cache.removeAll()
    #expect(cache.count == 0)
  }

  @Test func anotherSecretIsAnotherKey() throws {
    let signer = try Material.signer()
    let one = try signer.sign(Material.head(), with: Material.credentials(), at: Material.now)
    let other = try signer.sign(
      Material.head(), with: Material.credentials(secret: "other"), at: Material.now)
    let same = try signer.sign(Material.head(), with: Material.credentials(), at: Material.now)
    #expect(one.signature != other.signature)
    #expect(one.signature == same.signature)
  }

  @Test func signingAgainReplacesWhatWasSigned() throws {
    let signer = try Material.signer("s3")
    let once = try signer.sign(
      Material.head(), body: .bytes([1]), with: Material.credentials(token: "a"), at: Material.now)
    let later = Material.now.advanced(bySeconds: 10)
    let twice = try signer.sign(
      once.head, body: .bytes([2]), with: Material.credentials(token: "b"), at: later)
    let fresh = try signer.sign(
      Material.head(), body: .bytes([2]), with: Material.credentials(token: "b"), at: later)
    #expect(twice.head == fresh.head)
    let url = try signer.presign(
      Material.head(), expiresIn: .seconds(60), with: Material.credentials(), at: Material.now)
    #expect(
      Material.code {
        _ = try signer.presign(url.head, expiresIn: .seconds(60), with: Material.credentials(), at: later)
      }
        == .parameterUnexpected)
  }

  @Test func whatProxiesRewriteIsNotSigned() throws {
    var head = Material.head()
    for name in [
      "Connection", "Expect", "Transfer-Encoding", "User-Agent", "X-Amzn-Trace-Id", "Accept-Encoding", "TE",
      "Via",
    ] {
      head.headers.append(HeaderField(name, "x"))
    }
    let signed = try Material.signer().sign(head, with: Material.credentials(), at: Material.now)
    #expect(signed.canonicalRequest.signedHeaders == "host;x-amz-date")
  }

  @Test func badRequestsAreNotSigned() throws {
    let credentials = try Material.credentials()
    func code(_ change: (inout RequestHead) -> Void) -> SigV4Error.Code? {
      var head = Material.head()
      change(&head)
      return Material.code { _ = try Material.signer().sign(head, with: credentials, at: Material.now) }
    }
    #expect(code { $0.headers = [] } == .hostMissing)
    #expect(code { $0.headers.append(HeaderField("host", "b")) } == .headerRepeated)
    #expect(code { $0.headers.append(HeaderField("X-A", "b\r\nX-B: c")) } == .headerValue)
    #expect(code { $0.headers.append(HeaderField("X-A\r\n", "b")) } == .headerName)
    #expect(
      code { $0.headers += Array(repeating: HeaderField("X-A", "b"), count: 10_000) } == .tooManyHeaders)
    #expect(
      code { $0.headers.append(HeaderField("X-A", [UInt8](repeating: 0x61, count: 70_000))) }
        == .headersTooLarge)
    #expect(code { $0.query = [UInt8](repeating: 0x61, count: 5_000_000) } == .targetTooLong)
    #expect(code { $0.path = [0x2F] + [UInt8](repeating: 0x61, count: 20_000) } == .targetTooLong)
    #expect(code { $0.path = Array("/%4".utf8) } == .percentEncoding)
    #expect(code { $0.query = Array("a=%g0".utf8) } == .percentEncoding)
    #expect(code { $0.path = Array("/a\r\nHost: b".utf8) } == .targetCharacter)
    #expect(code { $0.path = [] } == .pathNotAbsolute)
    #expect(code { $0.method = "GET /" } == .methodInvalid)
    #expect(code { $0.query = Array("X-Amz-Date=1".utf8) } == .parameterUnexpected)
    #expect(code { $0.query = Array("x-amz-content-sha256=1".utf8) } == .parameterUnexpected)
    #expect(
      Material.code { _ = try Material.signer().sign(Material.head(), body: .sha256([1]), with: credentials) }
        == .payloadHashLength)
  }

  @Test(
    arguments: [
      (0, "19700101T000000Z"), (951_827_696, "20000229T123456Z"), (1_440_938_160, "20150830T123600Z"),
      (253_402_300_799, "99991231T235959Z"), (4_107_542_399, "21000228T235959Z"),
    ] as [(Int64, String)])
  func dates(seconds: Int64, text: String) throws {
    #expect(Timestamp(seconds: seconds).amzDate == text)
    #expect(try Timestamp(amzDate: text) == Timestamp(seconds: seconds))
  }

  @Test func datesStayInTheirRange() {
    #expect(Timestamp(seconds: .max).amzDate == "99991231T235959Z")
    #expect(Timestamp(seconds: -1).amzDate == "19700101T000000Z")
    #expect(Timestamp.earliest.amzDate == "19700101T000000Z")
    #expect((Timestamp(seconds: 5) + .milliseconds(999)).amzDate == "19700101T000005Z")
    for text in [
      "", "20150830T123600", "20150830t123600Z", "19691231T235959Z", "20150830T240000Z", "20150431T000000Z",
      "２０１５0830T123600Z",
    ] {
      #expect(Material.code { _ = try Timestamp(amzDate: text) } == .dateMalformed)
    }
  }
}

internal import SigV4
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Names are compared by their bytes. U+212A KELVIN SIGN is canonically equivalent to `K`, U+037E to `;`,
/// U+1FEF to a grave accent, and each letter with an accent to a letter and a combining mark: to a request
/// they are other names.
@Suite struct ExactNameTests {
  private static let credentials = try? Material.credentials("AKIDKEXAMPLE")

  private func code(
    _ head: RequestHead, service: String = "kinesis", region: String = "eu-kent-1",
    hosts: VerifierPolicy.HostRule = .oneOf([Material.host])
  ) throws -> SigV4Error.Code? {
    var policy = VerifierPolicy(service: service, region: region, hosts: hosts)
    policy.placements = [.header, .query]
    policy.payloads = Set(PayloadBinding.allCases)
    let verifier = try RequestVerifier(policy: policy)
    let key = VerificationKey.credentials(try #require(Self.credentials))
    return Material.code {
      _ = try verifier.verify(verifier.parse(head, at: Material.now), key: key, body: [])
    }
  }

  private func signed(_ headers: [HeaderField] = [], presigned: Bool = false) throws -> RequestHead {
    let credentials = try #require(Self.credentials)
    let signer = try Signer(service: "kinesis", region: "eu-kent-1")
    var head = Material.head()
    head.headers += headers
    return presigned
      ? try signer.presign(head, expiresIn: .seconds(60), with: credentials, at: Material.now).head
      : try signer.sign(head, with: credentials, at: Material.now).head
  }

  private func replacing(_ head: RequestHead, _ old: String, _ new: String) -> RequestHead {
    var changed = head
    changed.headers = head.headers.map {
      HeaderField($0.name, String(decoding: $0.value, as: UTF8.self).replacing(old, with: new))
    }
    return changed
  }

  @Test func controls() throws {
    #expect(try code(signed()) == nil)
    #expect(try code(signed(presigned: true)) == nil)
  }

  @Test(
    arguments: [
      ("AKIDKEXAMPLE", "A\u{212A}IDKEXAMPLE", .accessKeyMalformed),
      ("AKIDKEXAMPLE", "AKID\u{212A}EXAMPLE", .accessKeyMalformed),
      ("AKIDKEXAMPLE", "AKIDKEXAMPLe\u{301}", .accessKeyMalformed),
      ("eu-kent-1", "eu-\u{212A}ent-1", .scopePart), ("eu-kent-1", "eu-ke\u{301}nt-1", .scopePart),
      ("/kinesis/", "/\u{212A}inesis/", .scopePart), ("/kinesis/", "/kine\u{301}sis/", .scopePart),
      ("aws4_request", "aws4_re\u{301}quest", .scopeTermination),
      ("aws4_request", "aws4_request\u{1FEF}", .scopeTermination),
      ("AWS4-HMAC-SHA256", "AWS4-HMAC-SHA25\u{FF16}", .algorithmUnknown),
      ("AWS4-HMAC-SHA256", "A\u{30A}WS4-HMAC-SHA256", .algorithmUnknown),
      ("SignedHeaders=", "Signe\u{301}dHeaders=", .parameterUnexpected),
      ("host;x-amz-date", "host\u{37E}x-amz-date", .signedHeadersMalformed),
      ("host;x-amz-date", "host;x-amz-date\u{301}", .signedHeadersMalformed),
    ] as [(String, String, SigV4Error.Code)])
  func authorization(old: String, new: String, expected: SigV4Error.Code) throws {
    #expect(try code(replacing(signed(), old, new)) == expected)
  }

  @Test(
    arguments: [
      ("X-Amz-Algorithm=AWS4", "X-Amz-Algorithm=%E2%84%AAWS4", .algorithmUnknown),
      ("X-Amz-Credential=AKID", "X-Amz-Credential=A%E2%84%AAID", .accessKeyMalformed),
      ("eu-kent-1", "eu-%E2%84%AAent-1", .scopePart), ("kinesis", "kine%CC%81sis", .scopePart),
      ("aws4_request", "aws4_reque%CC%81st", .scopeTermination),
      ("X-Amz-SignedHeaders=host", "X-Amz-SignedHeaders=host%CD%BEx", .signedHeadersMalformed),
      ("X-Amz-Expires=60", "X-Amz-Expires=6%EF%BC%90", .expiresMalformed),
      ("X-Amz-Date=2015", "X-Amz-Date=%EF%BC%92015", .dateMalformed),
      ("X-Amz-Expires=", "X-Amz-Expire%CC%81s=", .parameterMissing),
      ("X-Amz-Signature=", "X-Amz-Signa%CC%81ture=", .parameterMissing),
    ] as [(String, String, SigV4Error.Code)])
  func query(old: String, new: String, expected: SigV4Error.Code) throws {
    var head = try signed(presigned: true)
    let text = String(decoding: head.query, as: UTF8.self)
    #expect(text.contains(old))
    head.query = Array(text.replacing(old, with: new).utf8)
    #expect(try code(head) == expected)
  }

  @Test func headerNames() throws {
    for name in [
      "X-\u{212A}ey", "X-E\u{301}", "Host\u{37E}", "x-amz-date\u{301}", "X-Amz-Security-To\u{212A}en",
    ] {
      var head = try signed()
      head.headers.append(HeaderField(name, "1"))
      #expect(try code(head) == .headerName)
    }
    #expect(Material.code { _ = try signed([HeaderField("X-\u{212A}ey", "1")]) } == .headerName)
  }

  @Test func hosts() throws {
    let head = replacing(try signed(), Material.host, "a\u{301}pi.example")
    #expect(try code(head, hosts: .oneOf(["\u{E1}pi.example"])) == .hostNotAccepted)
    let kelvin = replacing(try signed(), Material.host, "\u{212A}pi.example")
    #expect(try code(kelvin, hosts: .oneOf(["Kpi.example", "kpi.example"])) == .hostNotAccepted)
  }

  /// A policy for one service or region, and a signature for the other.
  @Test func scopes() throws {
    #expect(try code(signed(), service: "Kinesis") == .wrongService)
    #expect(try code(signed(), region: "eu-Kent-1") == .wrongRegion)
    #expect(Material.code { _ = try Signer(service: "\u{212A}inesis", region: "eu-kent-1") } == .scopePart)
    #expect(Material.code { _ = try Signer(service: "kinesis", region: "eu-\u{212A}ent-1") } == .scopePart)
    #expect(
      Material.code {
        _ = try RequestVerifier(
          policy: VerifierPolicy(service: "\u{212A}", region: "a", hosts: .oneOf(["a"])))
      }
        == .scopePart)
    #expect(Material.code { _ = try Material.credentials("A\u{212A}IA") } == .accessKeyMalformed)
  }

  @Test(arguments: [
    "UNSIGNED-PAYLOAD\u{301}", "STREAMING-AWS4-HMAC-SHA256-PAYLOA\u{301}D", "UNSIGNE\u{301}D-PAYLOAD",
    "STREAMING\u{2010}UNSIGNED-PAYLOAD-TRAILER",
  ])
  func payloadModes(mode: String) throws {
    var changed = try signed()
    changed.headers.append(HeaderField("x-amz-content-sha256", mode))
    #expect(try code(changed) == .payloadHashMalformed)
  }

  @Test func enumerations() {
    #expect(PayloadMode(name: "UNSIGNED-PAYLOAD") == .unsigned)
    #expect(ChecksumAlgorithm(name: "crc32") == .crc32)
    for name in ["\u{212A}", "crc32\u{301}", "sha1\u{37E}", "CRC32"] {
      #expect(ChecksumAlgorithm(name: name) == nil)
    }
    #expect(SigningAlgorithm(name: "AWS4-HMAC-SHA256\u{301}") == nil)
    #expect(VerifierPolicy.UnsignedHeader(name: "content-ty\u{301}pe") == nil)
  }

  /// Trailers that differ only in their normal form, and one that is not a token.
  @Test(arguments: [
    "x-\u{E9},x-e\u{301}", "x-amz-checksum-crc32\u{301}", "x-\u{212A}ey", "x-amz-checksum-crc32\u{37E}a",
  ])
  func trailers(declared: String) throws {
    let layout = try ChunkLayout(decodedLength: 1, checksum: .crc32)
    var head = try Material.signer("s3").sign(
      Material.head("PUT", "/key"), body: .chunks(layout), with: Material.credentials(), at: Material.now
    ).head
    let mode = try #require(head["x-amz-content-sha256"])
    head.headers.removeAll {
      ["authorization", "x-amz-date", "x-amz-trailer"].contains($0.name.lowercasedASCII)
    }
    head.headers.append(HeaderField("x-amz-trailer", declared))
    let verifier = try Material.verifier("s3")
    let pending = try verifier.parse(Material.signedAsIs(head, mode), at: Material.now)
    #expect(
      Material.code { _ = try verifier.verifyBody(pending, key: .credentials(Material.credentials())) }
        == .trailerDeclaration)
  }

  /// Fields of a form that are canonically equivalent are two fields, and each needs a condition.
  @Test func formFields() throws {
    let signer = try Material.signer("s3")
    let policy = PostPolicy(
      expiration: Material.now.advanced(bySeconds: 60),
      conditions: [.equals(field: "bucket", value: "b"), .equals(field: "cl\u{E9}", value: "1")])
    let fields = try signer.sign(policy, with: Material.credentials(), at: Material.now)
    let verifier = try Material.verifier("s3")
    func code(_ more: [(name: String, value: String)]) -> SigV4Error.Code? {
      Material.code {
        _ = try verifier.parsePost(fields + more, contentLength: 1, at: Material.now)
      }
    }
    #expect(code([("bucket", "b"), ("cl\u{E9}", "1")]) == nil)
    #expect(code([("bucket", "b"), ("cle\u{301}", "1")]) == .policyCondition)
    #expect(code([("bucket", "b"), ("cl\u{E9}", "1"), ("cle\u{301}", "1")]) == .policyCondition)
    #expect(code([("bucket", "b"), ("CL\u{E9}", "1"), ("cl\u{E9}", "1")]) == .parameterRepeated)
    #expect(code([("bucket", "\u{212A}"), ("cl\u{E9}", "1")]) == .policyCondition)
    let many = (0..<2_000).map { (name: "x-ignore-\($0)", value: "") }
    #expect(code(many) == .policyMalformed)
  }

  @Test func eventHeaders() throws {
    let event = EventMessage(headers: [.init("\u{E9}", .bool(true)), .init("e\u{301}", .bool(true))])
    var bytes = try event.encoded()[...]
    #expect(try EventMessage.next(in: &bytes)?.headers.count == 2)
    var twice = try EventMessage(headers: [.init("a", .bool(true)), .init("a", .bool(true))]).encoded()[...]
    #expect(Material.code { _ = try EventMessage.next(in: &twice) } == .eventMalformed)
  }
}

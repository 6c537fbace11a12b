internal import SigV4
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityVectorFiles

/// The ten checksums of S3, in headers and in trailers. Those of xxHash need the trait `XXHash`.
@Suite struct ChecksumTests {
  static let file = try? VectorFile.load("sigv4-checksums")

  #if XXHash
    static let hasXXHash = true
  #else
    static let hasXXHash = false
  #endif

  private static func isMissing(_ algorithm: ChecksumAlgorithm) -> Bool {
    !hasXXHash && [.xxhash64, .xxhash3, .xxhash128].contains(algorithm)
  }

  private func verifier() throws -> RequestVerifier {
    var policy = VerifierPolicy(
      service: "s3", region: "us-east-1", hosts: .oneOf(["store.example"]))
    policy.payloads = Set(PayloadBinding.allCases)
    policy.placements = Set(SignaturePlacement.allCases)
    return try RequestVerifier(policy: policy)
  }

  /// Verifies a message with its body in pieces, and with its whole body where that is possible.
  private func code(_ message: HTTPMessage, _ credentials: Credentials, at now: Timestamp) throws
    -> SigV4Error.Code?
  {
    let verifier = try verifier()
    let key = VerificationKey.credentials(credentials)
    let pieces = Material.code {
      var body = try verifier.verifyBody(verifier.parse(message.head, at: now), key: key)
      for byte in message.body { _ = try body.read([byte]) }
      _ = try body.finish()
    }
    if case .sha256? = try UnverifiedRequest(message.head).declaredPayload {
      let whole = Material.code {
        _ = try verifier.verify(verifier.parse(message.head, at: now), key: key, body: message.body)
      }
      #expect(whole == pieces)
    }
    #expect(verifier.explain(message, key: key, at: now).error?.code == pieces)
    return pieces
  }

  /// boto3 1.44.8 and awscrt 0.38.1.
  @Test(arguments: file?.cases ?? []) func upload(_ test: VectorFile.Case) throws {
    let file = try #require(Self.file)
    try VectorFile.Case.check(file.extras, knows: ["access_key", "secret"])
    try VectorFile.Case.check(test.input, knows: ["message", "at", "algorithm"])
    let algorithm = try #require(ChecksumAlgorithm(name: test.input["algorithm"]?.string ?? ""))
    let text = try #require(test.input["message"]?.string)
    let hello = try #require(test.expect?["hello"]?.string)
    #expect(text.contains(algorithm.headerName) && text.contains(hello))
    let now = try Timestamp(amzDate: #require(test.input["at"]?.string))
    let credentials = try VectorTests.credentials(file)
    let expected: SigV4Error.Code? = Self.isMissing(algorithm) ? .xxHashTraitMissing : nil
    #expect(try code(HTTPMessage(parsing: Array(text.utf8)), credentials, at: now) == expected)
    // The trailer is not signed.
    guard test.id.hasPrefix("trailer"), expected == nil else { return }
    let other = text.replacing("\r\nhello\r\n", with: "\r\njello\r\n")
    #expect(
      try code(HTTPMessage(parsing: Array(other.utf8)), credentials, at: now) == .checksumMismatch)
  }

  @Test func theFileIsWhole() {
    #expect(Self.file?.cases.count == 19)
    let algorithms = Set((Self.file?.cases ?? []).compactMap { $0.input["algorithm"]?.string })
    #expect(algorithms == Set(ChecksumAlgorithm.allCases.map(\.name)))
  }

  /// Checksums that the signer writes into a trailer, for bodies of several blocks of each function.
  @Test(arguments: file?.cases.filter { $0.id.hasPrefix("header") } ?? [])
  func values(_ test: VectorFile.Case) throws {
    let algorithm = try #require(ChecksumAlgorithm(name: test.input["algorithm"]?.string ?? ""))
    let counted = (0..<5).flatMap { _ in [UInt8](0...255) }
    let long = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_003)
    for (name, body) in [("hello", Array("hello".utf8)), ("counted", counted), ("long", long)] {
      let layout = try ChunkLayout(
        decodedLength: body.count, chunkSize: 4_099, checksum: algorithm, isSigned: false)
      let signed = try Material.signer("s3").sign(
        Material.head("PUT", "/k"), body: .chunks(layout), with: Material.credentials(), at: Material.now)
      let sent = Result { () throws(SigV4Error) -> [UInt8] in
        var signer = try signed.chunkSigner()
        return try signer.write(body) + signer.finish()
      }
      guard case .success(let sent) = sent else {
        #expect(throws: SigV4Error.xxHashTraitMissing(algorithm.headerName)) { try sent.get() }
        #expect(Self.isMissing(algorithm))
        continue
      }
      let value = try #require(test.expect?[name]?.string)
      #expect(sent.suffix(200).contains(Array("\(algorithm.headerName):\(value)\r\n".utf8)))
      #expect(sent.count == layout.encodedLength())
      #expect(try Base64.decode(value).count == algorithm.size)
    }
  }

  /// A header has the checksum of the body: in chunks without their framing.
  @Test(arguments: ChecksumAlgorithm.allCases, [false, true])
  func headers(algorithm: ChecksumAlgorithm, inChunks: Bool) throws {
    let file = try #require(Self.file)
    let test = try #require(file.cases.first { $0.id == "header-\(algorithm.name)" })
    let value = try #require(test.expect?["hello"]?.string)
    for (body, isRight) in [("hello", true), ("jello", false)] {
      let head = RequestHead(
        "PUT", "/k", headers: ["Host": "store.example", "X-Amz-Checksum-\(algorithm.name)": value])
      let payload: Payload =
        inChunks ? .chunks(try ChunkLayout(decodedLength: 5, chunkSize: 2)) : .bytes(Array(body.utf8))
      let signed = try Material.signer("s3").sign(
        head, body: payload, with: Material.credentials(), at: Material.now)
      var sent = Array(body.utf8)
      if inChunks {
        var signer = try signed.chunkSigner()
        sent = try signer.write(sent) + signer.finish()
      }
      #expect(
        try code(
          HTTPMessage(head: signed.head, body: sent), Material.credentials(), at: Material.now)
          == (Self.isMissing(algorithm) ? .xxHashTraitMissing : isRight ? nil : .checksumMismatch))
    }
  }

  /// `UNSIGNED-PAYLOAD`, which boto3 sends over TLS beside some checksums, and presigned URLs.
  @Test(arguments: ChecksumAlgorithm.allCases, [false, true])
  func headersWithoutAHash(algorithm: ChecksumAlgorithm, isPresigned: Bool) throws {
    let file = try #require(Self.file)
    let test = try #require(file.cases.first { $0.id == "header-\(algorithm.name)" })
    let value = try #require(test.expect?["hello"]?.string)
    let head = RequestHead(
      "PUT", "/k", headers: ["Host": "store.example", "X-Amz-Checksum-\(algorithm.name)": value])
    let (signer, credentials) = (try Material.signer("s3"), try Material.credentials())
    let signed =
      isPresigned
      ? try signer.presign(
        head, expiresIn: .seconds(60), body: .unsigned, with: credentials, at: Material.now
      ).head
      : try signer.sign(head, body: .unsigned, with: credentials, at: Material.now).head
    for (body, isRight) in [("hello", true), ("jello", false), ("", false)] {
      let message = HTTPMessage(head: signed, body: Array(body.utf8))
      #expect(
        try code(message, credentials, at: Material.now)
          == (Self.isMissing(algorithm) ? .xxHashTraitMissing : isRight ? nil : .checksumMismatch))
    }
    guard !Self.isMissing(algorithm) else { return }
    let verifier = try verifier()
    var body = try verifier.verifyBody(
      verifier.parse(signed, at: Material.now), key: .credentials(credentials))
    #expect(try body.read(Array("hello".utf8)).isEmpty)
    let end = try body.finish()
    #expect(end.request.binding.means == .signedChecksum(algorithm) && end.rest == Array("hello".utf8))
  }

  /// As S3 answers: the key and the signature are right.
  @Test func answers() {
    let mismatch = SigV4Error.checksumMismatch("x-amz-checksum-crc32").response
    #expect(mismatch.status == 400 && mismatch.code == "BadDigest")
    let missing = SigV4Error.xxHashTraitMissing("x-amz-checksum-xxhash3").response
    #expect(missing.status == 501 && missing.code == "NotImplemented")
    for error in [SigV4Error.bodyEndedEarly, .decodedLengthMismatch(declared: 2, actual: 1)] {
      #expect(error.response.status == 400 && error.response.code == "IncompleteBody")
    }
  }

  private static let md5 = "XUFAKrxLKna5cZ2REBfFkg=="
  private static let sha256 = "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="

  /// `Content-MD5`, alone and beside another checksum.
  @Test(arguments: [Payload.unsigned, .bytes(Array("hello".utf8))])
  func contentMD5(payload: Payload) throws {
    let credentials = try Material.credentials()
    func found(_ md5: String, _ sha256: String?) throws -> SigV4Error.Code? {
      var head = RequestHead("PUT", "/k", headers: ["Host": "store.example", "Content-MD5": md5])
      if let sha256 { head.headers.append(HeaderField("x-amz-checksum-sha256", sha256)) }
      let signed = try Material.signer("s3").sign(head, body: payload, with: credentials, at: Material.now)
      return try code(
        HTTPMessage(head: signed.head, body: Array("hello".utf8)), credentials, at: Material.now)
    }
    #expect(try found(Self.md5, nil) == nil)
    #expect(try found(Self.md5, Self.sha256) == nil)
    #expect(try found("AAAAAAAAAAAAAAAAAAAAAA==", nil) == .checksumMismatch)
    #expect(try found("AAAAAAAAAAAAAAAAAAAAAA==", Self.sha256) == .checksumMismatch)
    #expect(try found(Self.md5, Self.md5) == .checksumMismatch)
    #expect(try found("", nil) == .checksumMismatch)
  }

  /// Checksums that the signature does not cover, and the checksum of an object, verify no body.
  @Test func checksumsThatBindNothing() throws {
    let credentials = try Material.credentials()
    let verifier = try verifier()
    func found(_ head: RequestHead) -> SigV4Error.Code? {
      Material.code {
        _ = try verifier.verifyBody(verifier.parse(head, at: Material.now), key: .credentials(credentials))
      }
    }
    func signed(
      _ method: String, _ target: String, _ headers: KeyValuePairs<String, String> = [:]
    ) throws -> RequestHead {
      var head = RequestHead(method, target, headers: headers)
      head.headers.append(HeaderField("Host", "store.example"))
      return try Material.signer("s3").sign(head, body: .unsigned, with: credentials, at: Material.now).head
    }
    var head = try signed("PUT", "/k")
    #expect(found(head) == .payloadNotBound)
    head.headers.append(HeaderField("Content-MD5", Self.md5))
    #expect(found(head) == .payloadNotBound)
    #expect(
      found(try signed("POST", "/k?uploadId=u", ["x-amz-checksum-sha256": Self.sha256])) == .payloadNotBound)
    #expect(found(try signed("POST", "/k?uploadId=u", ["Content-MD5": Self.md5])) == nil)
  }

  /// CompleteMultipartUpload has the checksum of the object; other services give the name no meaning.
  @Test(
    arguments: [
      ("POST", "/k?uploadId=u", "s3", nil), ("POST", "/k?delete", "s3", .checksumMismatch),
      ("PUT", "/k?uploadId=u&partNumber=1", "s3", .checksumMismatch), ("PUT", "/k", "execute-api", nil),
    ] as [(String, String, String, SigV4Error.Code?)])
  func checksumsOfOtherThings(
    method: String, target: String, service: String, expected: SigV4Error.Code?
  ) throws {
    let head = Material.head(method, target, ["X-Amz-Checksum-Crc32": "AAAAAA=="])
    let signed = try Material.signer(service).sign(
      head, body: .bytes([1]), with: Material.credentials(), at: Material.now)
    let verifier = try Material.verifier(service)
    #expect(
      Material.code {
        _ = try verifier.verify(
          verifier.parse(signed.head, at: Material.now), key: .credentials(Material.credentials()), body: [1])
      } == expected)
  }

  @Test(
    arguments: [
      ["X-Amz-Checksum-Crc32": "AAAAAA==", "X-Amz-Checksum-Sha1": "AAAA"],
      ["X-Amz-Checksum-Crc32": "AAAAAA==", "x-amz-checksum-crc32": "AAAAAA=="],
      ["Content-MD5": "AAAA", "content-md5": "AAAA"],
    ] as [KeyValuePairs<String, String>])
  func oneChecksum(headers: KeyValuePairs<String, String>) throws {
    let signed = try Material.signer("s3").sign(
      Material.head("PUT", "/k", headers), body: .bytes([1]), with: Material.credentials(), at: Material.now)
    let verifier = try Material.verifier("s3")
    let pending = try verifier.parse(signed.head, at: Material.now)
    let key = VerificationKey.credentials(try Material.credentials())
    #expect(Material.code { _ = try verifier.verify(pending, key: key, body: [1]) } == .headerRepeated)
    #expect(Material.code { _ = try verifier.verifyBody(pending, key: key) } == .headerRepeated)
  }
}

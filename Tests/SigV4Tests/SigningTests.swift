internal import SigV4
internal import Testing
internal import TokenSecurityCrypto

/// Which headers are signed, and which are added.
@Suite struct SigningTests {
  /// A header that says how the body is covered is signed: the canonical request ends with it.
  @Test func aPresignedURLIsForTheBodyThatItsHeaderNames() throws {
    let one = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    func line(_ header: String?, _ body: Payload, service: String = "execute-api") throws -> String {
      var head = Material.head("PUT", "/", [:])
      if let header { head.headers.append(HeaderField("X-Amz-Content-Sha256", header)) }
      let signed = try Signer(service: service, region: "eu-west-1").presign(
        head, expiresIn: .seconds(60), body: body, with: Material.credentials(), at: Material.now)
      return String("\(signed.canonicalRequest)".split(separator: "\n").last ?? "")
    }
    #expect(try line(one, .none) == one)
    #expect(try line(one, .none, service: "s3") == one)
    #expect(try line(nil, .none) == empty)
    #expect(try line(nil, .none, service: "s3") == "UNSIGNED-PAYLOAD")
    #expect(try line("UNSIGNED-PAYLOAD", .none, service: "s3") == "UNSIGNED-PAYLOAD")
    #expect(try line(one, .bytes(Array("one".utf8))) == one)
    #expect(try line(" \(one)\t", .none) == one)
    let differs = SigV4Error.payloadHashMismatch
    #expect(throws: differs) { try line(one, .bytes(Array("other".utf8))) }
    #expect(throws: differs) { try line(one, .unsigned, service: "s3") }
    #expect(throws: SigV4Error.payloadNotPresignable) {
      try line("STREAMING-UNSIGNED-PAYLOAD-TRAILER", .none, service: "s3")
    }
    #expect(throws: SigV4Error.payloadHashMalformed("x")) { try line("x", .none) }
    for name in ["x-amz-content-sha256", "content-type"] {
      var twice = Material.head("PUT", "/", [:])
      twice.headers += [HeaderField(name, one), HeaderField(name.uppercased(), one)]
      #expect(throws: SigV4Error.headerRepeated(name)) {
        try Material.signer().presign(
          twice, expiresIn: .seconds(60), with: Material.credentials(), at: Material.now)
      }
    }
  }

  @Test(arguments: ["X-Amz-Date", "x-amz-security-token", "X-Amz-Region-Set", "Authorization"])
  func headersOfAnotherSignatureAreNotPresigned(name: String) throws {
    let head = Material.head("GET", "/", [name: "1"])
    let expected: SigV4Error =
      name == "Authorization" ? .signatureTwice : .headerUnexpected(name.lowercased())
    #expect(throws: expected) {
      try Material.signer().presign(
        head, expiresIn: .seconds(60), with: Material.credentials(), at: Material.now)
    }
  }

  @Test func aParameterOfAnotherSignatureIsNamedAsItWasGiven() throws {
    var head = Material.head("GET", "/", [:])
    head.query = Array("x-amz-date=20260101T000000Z".utf8)
    #expect(throws: SigV4Error.parameterUnexpected("x-amz-date")) {
      try Material.signer().presign(
        head, expiresIn: .seconds(60), with: Material.credentials(), at: Material.now)
    }
  }

  /// The headers that proxies and tracing rewrite.
  @Test(arguments: [
    "Baggage", "Connection", "Expect", "Forwarded", "Keep-Alive", "Max-Forwards", "Proxy-Authenticate",
    "Proxy-Authorization", "Proxy-Connection", "TE", "Traceparent", "Tracestate", "Trailer",
    "Transfer-Encoding", "Upgrade", "User-Agent", "Via", "Accept-Encoding", "X-Amzn-Trace-Id",
    "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Port", "X-Forwarded-Proto",
  ])
  func aHeaderThatOthersRewriteIsNotSigned(name: String) throws {
    let credentials = try Material.credentials()
    let head = Material.head("GET", "/", [:])
    var longer = head
    longer.headers.append(HeaderField(name, "1"))
    let signed = try Material.signer().sign(longer, with: credentials, at: Material.now)
    #expect(signed.canonicalRequest.signedHeaders == "host;x-amz-date")
    let url = try Material.signer().presign(
      longer, expiresIn: .seconds(60), with: credentials, at: Material.now)
    #expect(url.canonicalRequest.signedHeaders == "host")
    // A proxy may change the header.
    var changed = signed.head
    changed.headers = changed.headers.map { $0.name == name ? HeaderField(name, "2") : $0 }
    let verifier = try Material.verifier()
    _ = try verifier.verify(
      verifier.parse(changed, at: Material.now), key: .credentials(credentials), body: [])
  }

  @Test func aHeaderWithALongerNameIsSigned() throws {
    let head = Material.head("GET", "/", ["Traceparents": "1", "Baggage2": "1", "X-Traceparent": "1"])
    let signed = try Material.signer().sign(head, with: Material.credentials(), at: Material.now)
    #expect(signed.canonicalRequest.signedHeaders == "baggage2;host;traceparents;x-amz-date;x-traceparent")
  }

  /// RFC 9110 section 8.4: a list with commas, of case-insensitive names.
  @Test(
    arguments: [
      (nil, ["aws-chunked"]), ([""], ["aws-chunked"]), ([" "], ["aws-chunked"]), ([","], ["aws-chunked"]),
      (["gzip"], ["aws-chunked,gzip"]), (["gzip, br"], ["aws-chunked,gzip,br"]),
      (["aws-chunked"], ["aws-chunked"]), (["AWS-CHUNKED"], ["AWS-CHUNKED"]),
      (["aws-chunked,gzip"], ["aws-chunked,gzip"]), (["gzip, aws-chunked"], ["gzip, aws-chunked"]),
      (["gzip\t,\tAws-Chunked "], ["gzip\t,\tAws-Chunked "]),
      (["gzip", "aws-chunked"], ["gzip", "aws-chunked"]),
      (["gzip", "br"], ["aws-chunked,gzip,br"]), (["aws-chunked-not"], ["aws-chunked,aws-chunked-not"]),
      (["aws-chun\u{212A}ed"], ["aws-chunked,aws-chun\u{212A}ed"]),
    ] as [([String]?, [String])])
  func contentEncodingOfAStream(given: [String]?, sent: [String]) throws {
    var head = Material.head("PUT", "/key")
    for value in given ?? [] { head.headers.append(HeaderField("Content-Encoding", value)) }
    let signed = try Material.signer("s3").sign(
      head, body: .chunks(ChunkLayout(decodedLength: 1)), with: Material.credentials(), at: Material.now)
    #expect(signed.head.values("content-encoding").map { String(decoding: $0, as: UTF8.self) } == sent)
  }

  /// The fields that clients of declared operations send are those of a request of the same parts.
  /// A field that declares the body's hash stays, with the hash of the body that is signed.
  @Test func declaredHashesStay() throws {
    let body = Array("a".utf8)
    let hash = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
    for (given, expected) in [(nil, nil), (hash, hash), ("", hash), ("UNSIGNED-PAYLOAD", hash)]
      as [(String?, String?)]
    {
      var head = Material.head("PUT", "/", [:])
      if let given { head.headers.append(HeaderField("X-Amz-Content-SHA256", given)) }
      let signed = try Material.signer().sign(
        head, body: .bytes(body), with: Material.credentials(), at: Material.now)
      #expect(signed.head["x-amz-content-sha256"] == expected)
      #expect((signed.head["Authorization"] ?? "").contains("x-amz-content-sha256") == (expected != nil))
      let verifier = try Material.verifier()
      let pending = try verifier.parse(signed.head, at: Material.now)
      _ = try verifier.verify(pending, key: .credentials(Material.credentials()), body: body)
    }
  }

  @Test func fieldsOfARequestInParts() throws {
    let head = RequestHead("POST", "/path?b=2&a=1", headers: ["Host": "example.com:8443", "X-Other": "1"])
    let signed = try Material.signer().sign(
      head, body: .bytes([1, 2]), with: Material.credentials(), at: Material.now)
    let fields = try Material.signer().signedFields(
      "POST", "/path?b=2&a=1", host: "example.com:8443", [("X-Other", "1")], [1, 2],
      with: Material.credentials(), at: Material.now)
    #expect(fields.map { HeaderField($0.name, $0.value) } == signed.head.headers)
    #expect(signed.canonicalRequest.signedHeaders == "host;x-amz-date;x-other")
  }

  @Test func anUnsignedHeaderIsExplained() throws {
    var head = try Material.signer().sign(Material.head(), with: Material.credentials(), at: Material.now)
      .head
    head.headers.append(HeaderField("Content-Type", "text/plain"))
    let key = VerificationKey.credentials(try Material.credentials())
    let explanation = try Material.verifier().explain(HTTPMessage(head: head), key: key, at: Material.now)
    #expect(explanation.error == .headerUnsigned("content-type"))
    #expect(
      explanation.diagnoses.first?.sentence
        == "a proxy added the header \"content-type\" after signing, or the client does not sign it")
    var policy = Material.policy()
    policy.acceptedUnsignedHeaders = [.contentType]
    let lenient = try RequestVerifier(policy: policy)
    #expect(lenient.explain(HTTPMessage(head: head), key: key, at: Material.now).error == nil)
    // Two of them are refused by every policy.
    head.headers.append(HeaderField("Content-Type", "text/html"))
    #expect(Material.code { _ = try lenient.parse(head, at: Material.now) } == .headerRepeated)
  }

  /// The default of `at:` is the present.
  @Test func signsAndVerifiesNow() throws {
    let signer = try Signer(service: "execute-api", region: "us-east-1")
    let head = RequestHead("GET", "/", headers: ["Host": Material.host])
    let credentials = try Material.credentials()
    let verifier = try Material.verifier()
    let signed = try signer.sign(head, with: credentials)
    let presigned = try signer.presign(head, expiresIn: .seconds(900), with: credentials)
    for head in [signed.head, presigned.head] {
      let request = try verifier.verify(verifier.parse(head), key: .credentials(credentials), body: [])
      #expect(request.accessKeyID == "AKIDEXAMPLE")
    }
    #expect(presigned.url.contains("X-Amz-Expires=900"))
    let old = try signer.presign(head, expiresIn: .seconds(900), with: credentials, at: .now - .seconds(901))
    #expect(Material.code { _ = try verifier.parse(old.head) } == .presignedExpired)
  }
}

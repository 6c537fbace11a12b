internal import SigV4
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Why a signature does not match: a signer makes each common mistake, and the explanation must name it.
@Suite struct ExplanationTests {
  /// A request that is signed with a wrong canonical request.
  private func mistaken(
    _ target: String = "/a%20b?b=2&a=1", headers: KeyValuePairs<String, String> = [:], body: [UInt8] = [],
    secret: String = Material.secret, service: String = "execute-api",
    _ change: (inout [String]) -> Void = { _ in }
  ) throws -> HTTPMessage {
    let right = try Signer(service: service, region: "us-east-1").sign(
      Material.head("POST", target, headers), body: .bytes(body), with: Material.credentials(),
      at: Material.now)
    var lines = right.canonicalRequest.description.split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
    change(&lines)
    let hash = Hex.string(try DigestAlgorithm.sha256.hash(lines.joined(separator: "\n").utf8.span))
    let text = "AWS4-HMAC-SHA256\n\(Material.now.amzDate)\n\(right.scope)\n\(hash)"
    let key = try ScopedSigningKey(
      Material.credentials(secret: secret), date: Material.now, region: "us-east-1", service: service)
    let signature = try key.withStoredBytes { bytes in
      try MessageAuthenticator(key: SecretBytes(bytes), digest: .sha256).authenticate(text.utf8.span)
    }
    var head = right.head
    head.headers = head.headers.map { field in
      guard field.name == "Authorization" else { return field }
      return HeaderField(
        field.name,
        String(decoding: field.value, as: UTF8.self).replacing(right.signature, with: Hex.string(signature)))
    }
    return HTTPMessage(head: head, body: body)
  }

  private func codes(
    _ message: HTTPMessage, service: String = "execute-api", at now: Timestamp = Material.now
  )
    throws -> [String]
  {
    var policy = Material.policy(service)
    policy.hosts = .unchecked(because: "proxies are tried")
    policy.acceptedAmbiguities = Set(RequestAmbiguity.allCases)
    let explanation = try RequestVerifier(policy: policy).explain(
      message, key: .credentials(Material.credentials()), at: now)
    return explanation.diagnoses.map(\.code)
  }

  /// What `print` shows is for logs: the request, with its session token, is not in it.
  @Test func asTextItHasTheChecksAndTheMistakes() throws {
    var policy = Material.policy("execute-api")
    policy.hosts = .unchecked(because: "proxies are tried")
    let message = try mistaken("/", headers: ["X-Amz-Security-Token": "AQoDYXdzEJr"]) { $0[0] = "GET" }
    let explanation = try RequestVerifier(policy: policy).explain(
      message, key: .credentials(Material.credentials()), at: Material.now)
    let text = "\(explanation)"
    #expect(text.hasPrefix("checked at \(Material.now.amzDate)\n\n  ok    form\n"))
    #expect(text.contains("[signature_mismatch]\n         1 check failed: signature\n"))
    #expect(!text.contains("AQoDYXdzEJr") && !text.contains("canonical request"))
  }

  @Test func aRightRequestHasNoMistake() throws {
    let message = try mistaken()
    let explanation = try Material.verifier().explain(
      message, key: .credentials(Material.credentials()), at: Material.now)
    #expect(explanation.error == nil)
    #expect(explanation.diagnoses.isEmpty && explanation.difference == nil)
    #expect(explanation.checks.map(\.name).contains("signature"))
    #expect(explanation.canonicalRequest?.description.hasPrefix("POST\n/a%2520b\na=1&b=2\n") == true)
  }

  @Test func usualMistakesAreFound() throws {
    #expect(try codes(mistaken { $0[1] = "/a%20b" }).first == "path_encoded_once")
    #expect(try codes(mistaken { $0[1] = "/a%252520b" }).first == "path_decoded_by_proxy")
    #expect(try codes(mistaken("/a/../b") { $0[1] = "/a/../b" }).first == "path_not_cleaned")
    #expect(
      try codes(mistaken("/a%2fb", service: "s3") { $0[1] = "/a%2Fb" }, service: "s3").first
        == "path_upper_case_hex")
    #expect(
      try codes(mistaken("/a%20b", service: "s3") { $0[1] = "/a%2520b" }, service: "s3").first
        == "path_encoded_twice")
    #expect(try codes(mistaken("/a/") { $0[1] = "/a" }).first == "path_without_slash_at_end")
    #expect(try codes(mistaken("/a") { $0[1] = "/a/" }).first == "path_with_slash_at_end")
    #expect(try codes(mistaken { $0[2] = "b=2&a=1" }).first == "query_unsorted")
    #expect(try codes(mistaken("/?b=+&a=") { $0[2] = "a=&b=+" }).first == "query_as_it_stands")
    #expect(try codes(mistaken("/?a=1+2") { $0[2] = "a=1%202" }).first == "query_plus_as_space")
    #expect(try codes(mistaken("/?a") { $0[2] = "a" }).first == "query_missing_equals")
    #expect(try codes(mistaken { $0[2] = "" }).first == "query_left_out")
    #expect(
      try codes(mistaken(headers: ["X-Forwarded-Host": "public.example"]) { $0[3] = "host:public.example" })
        .first == "host_forwarded")
    #expect(try codes(mistaken { $0[3] = "host:api.example:443" }).first == "host_port_443")
    #expect(try codes(mistaken(body: [1]) { $0[$0.count - 1] = "UNSIGNED-PAYLOAD" }).first == "body_unsigned")
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    #expect(try codes(mistaken(body: [1]) { $0[$0.count - 1] = empty }).first == "body_empty")
    let hash = Hex.string(try DigestAlgorithm.sha256.hash("x".utf8.span))
    #expect(
      try codes(mistaken(body: Array("x\n".utf8)) { $0[$0.count - 1] = hash }).first == "body_line_end_added")
    let longer = Hex.string(try DigestAlgorithm.sha256.hash("x\n".utf8.span))
    #expect(
      try codes(mistaken(body: Array("x".utf8)) { $0[$0.count - 1] = longer }).first
        == "body_line_end_removed")
    #expect(
      try codes(
        mistaken(headers: ["Content-Type": "text/plain; charset=x"]) { $0[3] = "content-type:text/plain" }
      ).first == "content_type_changed")
    #expect(
      try codes(mistaken(headers: ["X-A": "b   c"]) { $0[4] = "x-a:b   c" }).first == "header_not_folded")
    #expect(try codes(mistaken { $0.remove(at: 5) }).first == "empty_line_missing")
    #expect(try codes(mistaken(secret: Material.secret + "\n")).first == "secret_with_white_space")
  }

  /// aws-sigv4 1.5.1 for Ruby keeps repeated spaces of a value in double quotes; botocore 1.44.8 makes one of them.
  @Test func quotedSpacesOfRuby() throws {
    let message = try HTTPMessage(
      parsing: Array(
        """
        GET / HTTP/1.1\r
        Host: iam.amazonaws.com\r
        X-Note: "a  b"\r
        X-Amz-Date: 20261129T030000Z\r
        X-Amz-Content-Sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\r
        Authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261129/us-east-1/iam/aws4_request, \
        SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-note, \
        Signature=4e6af293a65f4fa202cf3e9b0b46dd511c99bd00a82d7f5d58ec12d7111f2549\r
        \r

        """.utf8))
    let explanation = try RequestVerifier(
      policy: VerifierPolicy(service: "iam", region: "us-east-1", hosts: .oneOf(["iam.amazonaws.com"]))
    ).explain(
      message, key: .credentials(Material.credentials()), at: Timestamp(seconds: 1_795_921_200))
    #expect(explanation.error?.code == .signatureMismatch)
    #expect(explanation.diagnoses.map(\.code) == ["header_not_folded"])
  }

  @Test func twoMistakesAtOnce() throws {
    let found = try codes(
      mistaken(body: [1]) { lines in
        lines[1] = "/a%20b"
        lines[lines.count - 1] = "UNSIGNED-PAYLOAD"
      })
    #expect(Set(found) == ["path_encoded_once", "body_unsigned"])
  }

  /// `curl -v` prints requests without their bodies.
  @Test func bodiesThatAreLeftOutAreNamed() throws {
    var message = try mistaken(headers: ["Content-Length": "3"], body: Array("a=b".utf8))
    #expect(try codes(message).isEmpty)
    message.body = []
    #expect(try codes(message) == ["body_incomplete"])
  }

  @Test func noMistakeIsMadeUp() throws {
    #expect(try codes(mistaken(secret: "another")).isEmpty)
    #expect(try codes(mistaken { $0[0] = "DELETE" }).isEmpty)
  }

  @Test func clocksAndRegions() throws {
    let message = try mistaken()
    #expect(try codes(message, at: Material.now.advanced(bySeconds: 1_000)) == ["clock_off"])
    #expect(try codes(message, service: "s3").contains("wrong_service"))
    let explanation = try Material.verifier().explain(
      message, key: .credentials(Material.credentials()), at: Material.now.advanced(bySeconds: 1_000))
    // All checks run, also after the first failed one.
    #expect(explanation.checks.compactMap(\.error).map(\.code) == [.requestExpired])
    #expect(
      explanation.diagnoses.first?.sentence
        == "the signer's clock is 1000 s slow, or the request was delayed")
  }

  @Test(arguments: [
    "<Error><Code>SignatureDoesNotMatch</Code><CanonicalRequest>POST\n/a%20b\na=1&amp;b=2\nhost:api.example\nx-amz-date:20150830T123600Z\n\nhost;x-amz-date\nUNSIGNED-PAYLOAD</CanonicalRequest><StringToSign>x</StringToSign></Error>",
    "{\"__type\":\"InvalidSignatureException\",\"message\":\"The request signature we calculated does not match the signature you provided.\\n\\nThe Canonical String for this request should have been\\n'POST\\n/a%20b\\na=1&b=2\\nhost:api.example\\nx-amz-date:20150830T123600Z\\n\\nhost;x-amz-date\\nUNSIGNED-PAYLOAD'\\n\\nThe String-to-Sign should have been\\n'x'\\n\"}",
  ])
  func theServersSide(answer: String) throws {
    let server = try ServerExplanation(response: Array(answer.utf8))
    #expect(server.stringToSign == "x")
    let explanation = try Material.verifier().explain(
      mistaken(secret: "another"), key: .credentials(Material.credentials()), server: server, at: Material.now
    )
    let difference = try #require(explanation.difference)
    #expect(difference.line == 2 && difference.part == "path")
    #expect(difference.ours == "/a%2520b" && difference.theirs == "/a%20b")
  }

  @Test(arguments: ["", "<a>", "{}", "<html><body>no</body></html>", "not found"]) func answersThatSayNothing(
    text: String
  ) {
    #expect(Material.code { _ = try ServerExplanation(response: Array(text.utf8)) } == .messageMalformed)
  }

  @Test func requestsThatCannotBeRead() throws {
    let explanation = try Material.verifier().explain(
      HTTPMessage(head: Material.head()), key: nil, at: Material.now)
    #expect(explanation.error == .signatureMissing)
    #expect(explanation.parameters == nil)
  }

  @Test func aStreamedBodyIsFollowed() throws {
    let upload = try StreamTests.Upload(ChunkLayout(decodedLength: 40, chunkSize: 16), piece: 16)
    let verifier = try Material.verifier("s3")
    let key = VerificationKey.credentials(try Material.credentials())
    func failure(_ body: [UInt8]) -> SigV4Error? {
      verifier.explain(HTTPMessage(head: upload.signed.head, body: body), key: key, at: Material.now).error
    }
    #expect(failure(upload.sent) == nil)
    #expect(failure(upload.sent.dropLast()) == .bodyEndedEarly)
  }
}

/// Errors and risks of a presigned URL.
@Suite struct LintTests {
  private func url(
    expires: Int64 = 900, service: String = "s3", token: String? = nil, id: String = "AKIDEXAMPLE"
  ) throws -> String {
    try Material.signer(service).presign(
      Material.head(), expiresIn: .seconds(expires), with: Material.credentials(id, token: token),
      at: Material.now
    ).url
  }

  private func codes(
    _ url: String, method: String = "GET", credentialsExpiration: Timestamp? = nil,
    at now: Timestamp = Material.now
  ) throws
    -> [String]
  {
    try PresignedLint(url: url, method: method, credentialsExpiration: credentialsExpiration, at: now)
      .findings.map(
        \.code)
  }

  @Test func findings() throws {
    #expect(try codes(url()) == [])
    #expect(try codes(url(expires: 43_201)) == ["long_lived"])
    let long = try url(expires: 604_800).replacing("X-Amz-Expires=604800", with: "X-Amz-Expires=604801")
    #expect(try codes(long) == ["expires_out_of_range", "long_lived"])
    #expect(try codes(url(), at: Material.now.advanced(bySeconds: 901)) == ["presigned_expired"])
    #expect(try codes(url(), at: Material.now.advanced(bySeconds: -901)) == ["request_from_future"])
    #expect(try codes(url(token: "t")) == ["temporary_credentials"])
    #expect(
      try codes(url(token: "t"), credentialsExpiration: Material.now.advanced(bySeconds: 60)) == [
        "outlives_credentials"
      ])
    #expect(try codes(url(token: "t"), credentialsExpiration: Material.now.advanced(bySeconds: 900)) == [])
    #expect(try codes(url(id: "ASIAEXAMPLE")) == ["session_token_missing"])
    #expect(try codes(url().replacing("https://", with: "http://")) == ["not_https"])
    #expect(try codes(url(), method: "PUT") == ["upload_unbound"])
    #expect(
      try codes(url().replacing("AMPLE%2F20150830", with: "AMPLE%2F20150829")) == ["scope_date_mismatch"])
  }

  @Test(
    arguments: [
      ("ftp://x", .messageMalformed), ("", .messageMalformed), ("https://a.example/", .signatureMissing),
      ("https://a.example/?X-Amz-Date=1", .parameterMissing),
    ] as [(String, SigV4Error.Code)])
  func noPresignedURL(url: String, code: SigV4Error.Code) {
    #expect(Material.code { _ = try PresignedLint(url: url) } == code)
  }
}

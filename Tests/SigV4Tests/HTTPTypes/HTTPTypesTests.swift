internal import HTTPTypes
internal import SigV4
internal import Testing
internal import TokenSecurityCrypto

/// Requests of swift-http-types.
@Suite struct HTTPTypesTests {
  private static let now = Timestamp(seconds: 1_440_938_160)

  private func credentials() throws -> Credentials {
    try Credentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: SecretBytes("secret".utf8.span))
  }

  private func verifier() throws -> RequestVerifier {
    var policy = VerifierPolicy(service: "service", region: "us-east-1", hosts: .oneOf(["api.example"]))
    policy.placements = [.header, .query]
    return try RequestVerifier(policy: policy)
  }

  @Test func signedVerified() throws {
    var request = HTTPRequest(
      method: .post, scheme: "https", authority: "api.example", path: "/a?b=1",
      headerFields: [.contentType: "text/plain"])
    request.headerFields.append(HTTPField(name: HTTPField.Name("X-A") ?? .accept, value: "1"))
    request.headerFields.append(HTTPField(name: HTTPField.Name("X-A") ?? .accept, value: "2"))
    let signer = try Signer(service: "service", region: "us-east-1")
    let signed = try signer.sign(&request, body: .bytes([1, 2]), with: credentials(), at: Self.now)
    #expect(request.authority == "api.example")
    #expect(
      request.headerFields[.authorization]?.hasPrefix("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/") == true)
    // The authority is the host, and is not repeated.
    #expect(!request.headerFields.contains { $0.name.canonicalName == "host" })
    #expect(signed.canonicalRequest.signedHeaders == "content-type;host;x-a;x-amz-date")
    let verifier = try verifier()
    let key = VerificationKey.credentials(try credentials())
    _ = try verifier.verify(verifier.parse(request, at: Self.now), key: key, body: [1, 2])

    let again = request
    try signer.sign(
      &request, body: .bytes([1, 2]),
      with: ScopedSigningKey(credentials(), date: Self.now, region: "us-east-1", service: "service"),
      at: Self.now)
    #expect(request == again)
  }

  @Test(arguments: ["https", "http", "HTTP"])
  func presignedVerified(_ scheme: String) throws {
    var request = HTTPRequest(method: .get, scheme: scheme, authority: "api.example", path: "/a")
    let signer = try Signer(service: "service", region: "us-east-1")
    let signed = try signer.presign(&request, expiresIn: .seconds(60), with: credentials(), at: Self.now)
    #expect(signed.url == "\(scheme.lowercased())://api.example" + (request.path ?? ""))
    let verifier = try verifier()
    _ = try verifier.verify(
      verifier.parse(request, at: Self.now), key: .credentials(credentials()), body: [])
  }

  @Test func hostsThatDiffer() throws {
    let host = try #require(HTTPField.Name("Host"))
    var request = HTTPRequest(
      method: .get, scheme: "https", authority: "api.example", path: "/",
      headerFields: [host: "other.example"])
    let before = request
    let signer = try Signer(service: "service", region: "us-east-1")
    #expect(throws: SigV4Error.hostMismatch(host: "other.example", authority: "api.example")) {
      try signer.sign(&request, with: credentials(), at: Self.now)
    }
    #expect(request == before)
    request.authority = nil
    try signer.sign(&request, with: credentials(), at: Self.now)
    #expect(request.headerFields[values: host] == ["other.example"])
    request.headerFields[host] = nil
    #expect(throws: SigV4Error.hostMissing) { try signer.sign(&request, with: credentials(), at: Self.now) }
    request.path = nil
    #expect(throws: SigV4Error.pathNotAbsolute) {
      try signer.sign(&request, with: credentials(), at: Self.now)
    }
  }
}

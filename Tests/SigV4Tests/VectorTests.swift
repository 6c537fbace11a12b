internal import SigV4
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityVectorFiles

/// Vectors that the published suite does not have: canonical forms on which other signers agree, and requests
/// that must be refused, each with its code.
@Suite struct VectorTests {
  static let canonical = try? VectorFile.load("sigv4-canonical")
  static let refusals = try? VectorFile.load("sigv4-refusals")

  static func credentials(_ file: VectorFile) throws -> Credentials {
    let secret = try #require(file.extras["secret"]?.string)
    return try Credentials(
      accessKeyID: #require(file.extras["access_key"]?.string), secretAccessKey: SecretBytes(secret.utf8.span)
    )
  }

  @Test(arguments: canonical?.cases ?? []) func canonicalForm(_ test: VectorFile.Case) throws {
    let file = try #require(Self.canonical)
    try VectorFile.Case.check(file.extras, knows: ["access_key", "secret", "region", "date"])
    try VectorFile.Case.check(test.input, knows: ["method", "target", "headers", "body", "service"])
    let expect = try #require(test.expect)
    try VectorFile.Case.check(expect, knows: ["canonical_request", "string_to_sign", "signature"])
    var head = try RequestHead(#require(test.input["method"]?.string), #require(test.input["target"]?.string))
    head.headers = try #require(test.input["headers"]?.array).map { pair in
      let texts = try #require(pair.array?.compactMap { $0.string })
      return HeaderField(texts[0], texts[1])
    }
    let signer = try Signer(
      service: #require(test.input["service"]?.string), region: #require(file.extras["region"]?.string))
    let date = try Timestamp(amzDate: #require(file.extras["date"]?.string))
    let body = Array(try #require(test.input["body"]?.string).utf8)
    let signed = try signer.sign(head, body: .bytes(body), with: Self.credentials(file), at: date)
    #expect(signed.canonicalRequest.description == expect["canonical_request"]?.string)
    #expect(String(decoding: signed.stringToSign, as: UTF8.self) == expect["string_to_sign"]?.string)
    #expect(signed.signature == expect["signature"]?.string)

    var policy = VerifierPolicy(
      service: signer.service, region: "us-east-1", hosts: .unchecked(because: "one case has a port"))
    policy.acceptedAmbiguities = Set(RequestAmbiguity.allCases)
    let verifier = try RequestVerifier(policy: policy)
    let verified = try verifier.verify(
      verifier.parse(signed.head, at: date), key: .credentials(Self.credentials(file)), body: body)
    #expect(verified.head == signed.head)
  }

  @Test(arguments: refusals?.cases ?? []) func refusal(_ test: VectorFile.Case) throws {
    let file = try #require(Self.refusals)
    try VectorFile.Case.check(
      file.extras, knows: ["access_key", "secret", "region", "service", "host", "now"])
    try VectorFile.Case.check(test.input, knows: ["message"])
    var policy = try VerifierPolicy(
      service: #require(file.extras["service"]?.string), region: #require(file.extras["region"]?.string),
      hosts: .oneOf([#require(file.extras["host"]?.string)]))
    policy.placements = [.header, .query]
    let verifier = try RequestVerifier(policy: policy)
    let text = try #require(test.input["message"]?.string)
    let now = try Timestamp(amzDate: #require(file.extras["now"]?.string))
    let credentials = try Self.credentials(file)
    let result = Result { () throws(SigV4Error) in
      let message = try HTTPMessage(parsing: Array(text.utf8), limits: RequestLimits(headerCount: 300))
      let pending = try verifier.parse(message.head, at: now)
      return try verifier.verify(pending, key: .credentials(credentials), body: message.body).accessKeyID
    }
    switch result {
    case .success(let accessKeyID):
      #expect(test.reject == nil)
      #expect(test.expect?["access_key"]?.string == accessKeyID)
    case .failure(let error):
      #expect(error.codeText == test.reject, "\(error)")
      #expect(!error.description.isEmpty && error.description.utf8.count < 1_024)
    }
  }

  @Test func filesAreWhole() {
    #expect(Self.canonical?.cases.count == 30)
    #expect(Self.refusals?.cases.count == 112)
  }
}

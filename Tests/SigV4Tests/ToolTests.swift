internal import SigV4
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityVectorFiles

/// Requests that tools sent: accepted, or refused with the true reason.
@Suite struct ToolTests {
  static let file = try? VectorFile.load("sigv4-tools")

  private func policy(_ test: VectorFile.Case, _ parameters: SignatureParameters?) -> VerifierPolicy {
    var policy = VerifierPolicy(
      service: parameters?.scope.service ?? "s3", region: "us-east-1",
      hosts: .unchecked(because: "the tools had several"))
    policy.placements = Set(SignaturePlacement.allCases)
    policy.payloads = Set(PayloadBinding.allCases)
    for setting in test.input["settings"]?.array?.compactMap({ $0.string }) ?? [] {
      switch setting {
      case "plus": policy.acceptedAmbiguities = [.plusInQuery]
      case "plus_as_space": policy.plusInQuery = .space
      case "unsigned_content_type": policy.acceptedUnsignedHeaders = [.contentType]
      case let other: Issue.record("the setting \(other) is not known to this runner")
      }
    }
    return policy
  }

  private func key(
    _ kind: String?, _ file: VectorFile, _ parameters: SignatureParameters?
  ) throws -> VerificationKey? {
    let usual = try VectorTests.credentials(file)
    switch kind {
    case nil: return .credentials(usual)
    case "none": return nil
    case "AKIAIOSFODNN7EXAMPLE":
      // The secret of the S3 documentation.
      let secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
      return .credentials(try Material.credentials("AKIAIOSFODNN7EXAMPLE", secret: secret))
    case "ASIAEXAMPLE": return .credentials(try Material.credentials("ASIAEXAMPLE"))
    case "wrong": return .credentials(try Material.credentials(secret: "another"))
    case "temporary": return .credentials(try Material.credentials(token: "token"))
    case "scoped":
      return .scoped(
        try ScopedSigningKey(usual, date: #require(parameters).date, region: "us-east-1", service: "s3"))
    case let other?:
      Issue.record("the key \(other) is not known to this runner")
      return nil
    }
  }

  @Test(arguments: file?.cases ?? []) func request(_ test: VectorFile.Case) throws {
    let file = try #require(Self.file)
    try VectorFile.Case.check(file.extras, knows: ["access_key", "secret"])
    try VectorFile.Case.check(test.input, knows: ["message", "at", "key", "settings", "diagnoses"])
    let message = try HTTPMessage(parsing: Array(#require(test.input["message"]?.string).utf8))
    let now = try Timestamp(amzDate: #require(test.input["at"]?.string))
    let parameters = try? UnverifiedRequest(message.head).parameters
    let verifier = try RequestVerifier(policy: policy(test, parameters))
    let key = try key(test.input["key"]?.string, file, parameters)
    let result = Result { () throws(SigV4Error) -> String in
      let pending = try verifier.parse(message.head, at: now)
      if pending.parameters.placement == .query {
        return try verifier.verifyLeavingBodyUnchecked(pending, key: key, because: "presigned").accessKeyID
      }
      var body = try verifier.verifyBody(pending, key: key)
      _ = try body.read(message.body)
      let verified = try body.finish().request
      #expect(verified.sessionToken == nil)
      return verified.accessKeyID
    }
    switch result {
    case .success(let id):
      #expect(test.reject == nil)
      #expect(id == test.expect?["access_key"]?.string)
    case .failure(let error): #expect(error.codeText == test.reject, "\(error)")
    }
    let explanation = verifier.explain(message, key: key, at: now)
    #expect(explanation.error?.codeText == test.reject)
    if explanation.error?.code == .sessionTokenEmpty {
      // An identifier of temporary credentials is refused alike where it is unknown.
      let isTemporary = parameters?.accessKeyID == "ASIAEXAMPLE"
      #expect(
        verifier.explain(message, key: nil, at: now).error?.code
          == (isTemporary ? .sessionTokenEmpty : .accessKeyUnknown))
      #expect(SigV4Error.sessionTokenEmpty.response == SigV4Error.signatureMismatch.response)
    }
    if let expected = test.input["diagnoses"]?.array?.compactMap({ $0.string }) {
      #expect(explanation.diagnoses.map(\.code) == expected)
    }
  }

  @Test func theFileIsWhole() { #expect(Self.file?.cases.count == 41) }

  /// boto3 1.44.8, generate_presigned_post with signature_version s3.
  @Test func formsOfVersion2() throws {
    let fields = [
      ("key", "k"), ("AWSAccessKeyId", "AKIDEXAMPLE"), ("policy", "e30="),
      ("signature", "2OLx9K/CABSWhv2KRyFmcso40i8="),
    ]
    let verifier = try Material.verifier("s3")
    #expect(
      Material.code { _ = try verifier.parsePost(fields, contentLength: 0, at: Material.now) }
        == .signatureVersion2)
  }

  @Test(arguments: ["/k?AWSAccessKeyId=A&Signature=x%3D&Expires=1", "/k?Signature=x&AWSAccessKeyId=A"])
  func lintOfVersion2(target: String) {
    #expect(
      Material.code { _ = try PresignedLint(url: "https://bkt.s3.amazonaws.com" + target) }
        == .signatureVersion2)
  }
}

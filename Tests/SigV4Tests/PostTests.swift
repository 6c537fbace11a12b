internal import SigV4
internal import Testing

/// Forms with which browsers upload to S3.
@Suite struct PostTests {
  private static let policy = PostPolicy(
    expiration: Material.now.advanced(bySeconds: 3_600),
    conditions: [
      .equals(field: "bucket", value: "b"), .startsWith(field: "key", prefix: "user/"),
      .startsWith(field: "Content-Type", prefix: ""), .contentLength(1...100),
    ])

  private func fields() throws -> [(name: String, value: String)] {
    try Material.signer("s3").sign(Self.policy, with: Material.credentials(token: "token"), at: Material.now)
      + [
        (name: "bucket", value: "b"), (name: "key", value: "user/1"),
        (name: "content-type", value: "image/png"),
      ]
  }

  private func code(
    length: Int = 50, at now: Timestamp = Material.now,
    _ change: (inout [(name: String, value: String)]) -> Void = { _ in }
  ) throws -> SigV4Error.Code? {
    var fields = try fields()
    change(&fields)
    let verifier = try Material.verifier("s3")
    return Material.code {
      let pending = try verifier.parsePost(fields, contentLength: length, at: now)
      _ = try verifier.verify(pending, key: .credentials(Material.credentials(token: "token")))
    }
  }

  @Test func whatIsSignedVerifies() throws {
    #expect(try code() == nil)
    let verifier = try Material.verifier("s3")
    let pending = try verifier.parsePost(fields(), contentLength: 1, at: Material.now)
    let post = try verifier.verify(pending, key: .credentials(Material.credentials(token: "token")))
    #expect(post.accessKeyID == "AKIDEXAMPLE")
    #expect(post.policy.expiration == Self.policy.expiration)
    #expect(post.policy.conditions.starts(with: Self.policy.conditions))
    #expect(Material.code { _ = try verifier.verify(pending, key: nil) } == .accessKeyUnknown)
  }

  private func set(_ name: String, _ value: String) -> (inout [(name: String, value: String)]) -> Void {
    { fields in fields = fields.map { $0.name == name ? (name: name, value: value) : $0 } }
  }

  @Test func formsThatLie() throws {
    #expect(try code(length: 0) == .policyCondition)
    #expect(try code(length: 101) == .policyCondition)
    #expect(try code(at: Material.now.advanced(bySeconds: 3_600)) == .policyExpired)
    #expect(try code(at: Material.now.advanced(bySeconds: -901)) == .requestFromFuture)
    #expect(try code(set("bucket", "c")) == .policyCondition)
    #expect(try code(set("key", "other/1")) == .policyCondition)
    #expect(try code(set("x-amz-security-token", "other")) == .policyCondition)
    #expect(try code(set("x-amz-signature", String(repeating: "0", count: 64))) == .signatureMismatch)
    #expect(try code(set("x-amz-signature", "0")) == .signatureMalformed)
    #expect(try code(set("x-amz-algorithm", "AWS4-ECDSA-P256-SHA256")) == .algorithmUnknown)
    #expect(
      try code(set("x-amz-credential", "AKIDEXAMPLE/20150830/us-west-2/s3/aws4_request")) == .wrongRegion)
    #expect(
      try code(set("x-amz-credential", "AKIDEXAMPLE/20150829/us-east-1/s3/aws4_request"))
        == .scopeDateMismatch)
    #expect(try code(set("policy", "!")) == .policyMalformed)
    #expect(try code(set("policy", "e30=")) == .policyMalformed)
    #expect(try code { $0.append((name: "acl", value: "public-read")) } == .policyCondition)
    #expect(try code { $0.append((name: "X-Ignore-Me", value: "1")) } == nil)
    #expect(try code { $0.append((name: "KEY", value: "user/2")) } == .parameterRepeated)
    #expect(try code { $0.removeAll { $0.name == "x-amz-date" } } == .parameterMissing)
    // Another policy with the same signature.
    let other = PostPolicy(
      expiration: Self.policy.expiration, conditions: [.startsWith(field: "key", prefix: "")])
    let text = try #require(
      Material.signer("s3").sign(other, with: Material.credentials(token: "token"), at: Material.now).first?
        .value)
    #expect(
      try code {
        set("policy", text)(&$0); $0.removeAll { ["bucket", "content-type"].contains($0.name) }
      } == .signatureMismatch)
  }

  /// Texts are compared by bytes: strings that are equal in Swift can be names of two objects.
  @Test func textsThatOnlyLookAlike() throws {
    let policy = PostPolicy(
      expiration: Self.policy.expiration,
      conditions: [.equals(field: "key", value: "caf\u{E9}"), .startsWith(field: "name", prefix: "\u{E9}")])
    let signed = try Material.signer("s3").sign(policy, with: Material.credentials(), at: Material.now)
    let verifier = try Material.verifier("s3")
    func code(_ key: String, _ name: String, _ field: String = "key") -> SigV4Error.Code? {
      Material.code {
        _ = try verifier.parsePost(
          signed + [(name: field, value: key), (name: "name", value: name)], contentLength: 1,
          at: Material.now)
      }
    }
    #expect(code("caf\u{E9}", "\u{E9}a") == nil)
    #expect(code("cafe\u{301}", "\u{E9}a") == .policyCondition)
    #expect(code("caf\u{E9}", "e\u{301}a") == .policyCondition)
    #expect(code("caf\u{E9}", "\u{E9}a", "\u{212A}ey") == .policyCondition)
  }

  @Test func anAlgorithmThatIsNotTaken() throws {
    var policy = Material.policy("s3")
    policy.algorithms = [.ecdsaP256SHA256]
    let verifier = try RequestVerifier(policy: policy)
    #expect(
      Material.code { _ = try verifier.parsePost(fields(), contentLength: 50, at: Material.now) }
        == .algorithmNotAccepted)
  }

  @Test func policiesThatLiveTooLong() throws {
    for seconds in [0, -1, 604_801] as [Int64] {
      let policy = PostPolicy(expiration: Material.now.advanced(bySeconds: seconds), conditions: [])
      #expect(
        Material.code {
          _ = try Material.signer("s3").sign(policy, with: Material.credentials(), at: Material.now)
        } == .lifetime)
    }
    let many = try Signer(service: "s3", regionSet: ["*"])
    #expect(
      Material.code { _ = try many.sign(Self.policy, with: Material.credentials(), at: Material.now) }
        == .algorithmNotAccepted)
  }
}

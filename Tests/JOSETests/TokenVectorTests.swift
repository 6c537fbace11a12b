internal import JOSE
internal import Testing
internal import TokenSecurityVectorFiles

/// Each rule for tokens, satisfied and broken, with the exact code.
@Suite struct TokenVectorTests {
  static let file = Result { try VectorFile.load("tokens") }

  @Test(arguments: try file.get().cases)
  func judges(_ vector: VectorFile.Case) throws {
    let (token, verifier, now) = try Self.prepare(vector)
    if let code = vector.reject {
      #expect { try verifier.verify(token, at: now) } throws: {
        ($0 as? JOSEError)?.codeText == code
      }
    } else {
      let verified = try verifier.verify(token, at: now)
      #expect(verified.compact == token)
      #expect(verified.verifiedAt == now)
      #expect(
        verified.claims == (try UnverifiedToken(token, limits: verifier.policy.signature.limits).claims))
    }
  }

  /// Verification and explanation use one list.
  @Test(arguments: try file.get().cases)
  func explainsWithTheSameVerdict(_ vector: VectorFile.Case) throws {
    let (token, verifier, now) = try Self.prepare(vector)
    let explanation = verifier.explain(token, at: now)
    var verdict: JOSEError? = nil
    if case .failure(let error) = explanation.result { verdict = error }
    #expect(verdict?.codeText == vector.reject)
    let failed = explanation.checks.filter { if case .failed = $0.outcome { true } else { false } }
    #expect(failed.isEmpty == (vector.reject == nil))
    if let first = failed.first { #expect(first.outcome == verdict.map(Explanation.Outcome.failed)) }
    // Claims are not shown before the signature is verified.
    let signature = try #require(explanation.checks.firstIndex { $0.name == "signature" })
    if explanation.checks[signature].outcome != .passed {
      #expect(
        explanation.checks[(signature + 1)...].allSatisfy { $0.outcome == .notReached && $0.actual == nil })
    }
  }

  /// libjwt accepts the signature of every accepted token, for algorithms that it supports.
  @Test(arguments: try file.get().cases.filter { $0.reject == nil })
  func secondOpinion(_ vector: VectorFile.Case) throws {
    let (token, verifier, now) = try Self.prepare(vector)
    let verified = try verifier.verify(token, at: now)
    // libjwt 1.10 does not support PSS, EdDSA, secp256k1, types other than JWT, and exponents in a
    // NumericDate.
    guard LibJWT.knows(verified.algorithm), ["JWT", nil].contains(verified.header.type) else { return }
    let keys = try Self.keys(vector).keys.filter { $0.algorithms.contains(verified.algorithm) }
    #expect(try keys.contains { try LibJWT.accepts(token, algorithm: verified.algorithm, key: $0) })
  }

  @Test func theFileIsWhole() throws {
    let file = try Self.file.get()
    #expect(file.suite == "tokens")
    #expect(Set(file.cases.map(\.id)).count == file.cases.count)
    #expect(file.cases.count == 246)
  }

  private static func keys(_ vector: VectorFile.Case) throws -> JWKSet {
    let sets = try #require(file.get().extras["keys"]?.object)
    let set = try #require(sets[vector.input["keys"]?.string ?? ""])
    return try JWKSet(json: set.description)
  }

  static func prepare(
    _ vector: VectorFile.Case, cache: VerifiedTokenCache? = nil
  ) throws -> (String, TokenVerifier, NumericDate) {
    let extras = try file.get().extras
    try VectorFile.Case.check(vector.input, knows: ["token", "keys", "policy"])
    var policy = TokenPolicy(
      issuer: .exactly(try #require(extras["issuer"]?.string)),
      audience: .exactly(try #require(extras["audience"]?.string)))
    for member in vector.input["policy"]?.object?.members ?? [] {
      try apply(member, to: &policy)
    }
    let now = NumericDate(seconds: try #require(extras["now"]?.int64))
    return (
      try #require(vector.input["token"]?.string),
      try TokenVerifier(keys: keys(vector), policy: policy, cache: cache), now
    )
  }

  private static func apply(_ member: JSONObject.Member, to policy: inout TokenPolicy) throws {
    let value = member.value
    switch member.name {
    case "size": policy.signature.limits = TokenLimits(token: Int(try #require(value.int64)))
    case "algorithms":
      policy.signature.algorithms = Set(try #require(value.strings).compactMap(Algorithm.init(name:)))
    case "critical":
      policy.signature.understoodCritical = Set(try #require(value.strings).map { ExactString($0) })
    case "key_sources":
      #expect(value == "ignored")
      policy.signature.keySources = .ignored(because: "the vector says so")
    case "typ": policy.signature.type = .oneOf(try #require(value.strings))
    case "no_expiration":
      policy.expiration = .optional(because: "the vector says so")
      policy.maximumLifetime = .unchecked(because: "the vector says so")
    case "leeway": policy.leeway = .seconds(try #require(value.int64))
    case "issuer": policy.issuer = .oneOf(try #require(value.strings))
    case "audience":
      #expect(value == "absent")
      policy.audience = .absent
    case "subject": policy.subject = .oneOf(try #require(value.strings))
    case "lifetime": policy.maximumLifetime = .seconds(try #require(value.int64))
    case "age": policy.maximumAge = .seconds(try #require(value.int64))
    case "auth_age": policy.maximumAuthenticationAge = .seconds(try #require(value.int64))
    case "required": policy.requiredClaims = try #require(value.strings)
    case "values":
      policy.claims = try #require(value.object).members.map { .init($0.name, .exactly($0.value)) }
    default: throw VectorFileError("the policy member \(member.name) is not known to this runner")
    }
  }
}

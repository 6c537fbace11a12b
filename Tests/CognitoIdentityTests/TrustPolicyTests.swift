internal import CognitoIdentity
internal import TokenSecurityEncodings
internal import Testing
internal import TokenSecurityVectorFiles

/// Trust policies, by the cases of `Vectors/trust-policies.json`.
@Suite struct TrustPolicyTests {
  @Test(arguments: try VectorFile.load("trust-policies").cases)
  func policy(_ vector: VectorFile.Case) throws {
    let text: String
    if let raw = vector.input["text"]?.string {
      text = raw
    } else {
      text = try #require(vector.input["policy"]).description
    }
    #expect(Set(vector.input.names).isSubset(of: ["text", "policy", "callers"]))
    if let reject = vector.reject {
      #expect { try TrustPolicy(json: text) } throws: { ($0 as? IdentityError)?.codeText == reject }
      return
    }
    let policy = try TrustPolicy(json: text)
    let answers = try #require(vector.expect?["admits"]?.array?.map(\.bool))
    let callers = try #require(vector.input["callers"]?.array?.map(\.object))
    #expect(answers.count == callers.count && !callers.isEmpty)
    for (caller, answer) in zip(callers, answers) {
      let caller = try #require(caller)
      var context: NameMap<[String]> = [:]
      for member in try #require(caller["context"]?.object).members {
        context[member.name.lowercased()] = member.value.strings ?? []
      }
      let found = policy.allows(
        TrustPolicy.Caller(
          principalKind: caller["kind"]?.string ?? "Federated",
          principal: caller["principal"]?.string ?? "cognito-identity.amazonaws.com",
          action: caller["action"]?.string ?? "sts:AssumeRoleWithWebIdentity", context: context))
      #expect(found == answer, "\(caller)")
    }
  }

  @Test func aServiceAssumesARoleForAResource() {
    #expect(
      TrustPolicy.Caller.service("cognito-sync.amazonaws.com", account: "123456789012", source: "arn:x")
        == TrustPolicy.Caller(
          principalKind: "Service", principal: "cognito-sync.amazonaws.com", action: "sts:AssumeRole",
          context: ["aws:sourceaccount": ["123456789012"], "aws:sourcearn": ["arn:x"]]))
  }

  @Test func patternsTakeNoTimeThatGrowsWithoutBound() throws {
    // Backtracking over all stars would take 2^60 steps here.
    let stars = String(repeating: "*a", count: 60) + "*b"
    let policy = try TrustPolicy(
      json: """
        {"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Principal": {"Service": "x"}, "Action": "sts:*",
          "Condition": {"StringLike": {"aws:SourceArn": "\(stars)"}}}}
        """)
    let caller = TrustPolicy.Caller(
      principalKind: "Service", principal: "x", action: "sts:AssumeRole",
      context: ["aws:sourcearn": [String(repeating: "a", count: 4_000)]])
    #expect(!policy.allows(caller))
  }
}

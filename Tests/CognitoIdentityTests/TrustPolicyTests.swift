internal import CognitoIdentity
internal import Testing
internal import TokenSecurityBase
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

  /// The rule that a policy for `cognito-sync.amazonaws.com` breaks, by its account and the ARN of its pool.
  @Test(
    arguments: [
      ("123456789012", "ARN:us-east-1:0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53", nil),
      (
        "123456789012", "ARN:us-east-1:my-pool",
        "aws:SourceArn is \"ARN:us-east-1:my-pool\", which has the malformed pool id \"us-east-1:my-pool\": it must be REGION:UUID"
      ),
      ("123456789012", "ARN:eu-west-1:0d", "which has a pool of another region than \"us-east-1\""),
      ("123456789012", "ARN:us-east-1:*", "which has a wildcard: other pools could use the role"),
      ("123456789012", "0d1c", "is not arn:aws:cognito-identity:REGION:ACCOUNT:identitypool/POOL"),
      ("12345", "ARN:us-east-1:0d", "aws:SourceAccount is \"12345\", which is not an account of 12 digits"),
      ("123456789012", nil, "ArnLike on aws:SourceArn with an identity pool's ARN is missing"),
      (nil, "ARN:us-east-1:0d", "StringEquals on aws:SourceAccount with an account of 12 digits is missing"),
    ] as [(String?, String?, String?)])
  func conditionsOnTheSource(_ account: String?, _ source: String?, _ rule: String?) throws {
    func full(_ text: String) -> String {
      text.replacing("ARN:", with: "arn:aws:cognito-identity:us-east-1:123456789012:identitypool/")
    }
    let conditions = [
      account.map { #""StringEquals": {"aws:SourceAccount": "\#($0)"}"# },
      source.map { #""ArnLike": {"aws:SourceArn": "\#(full($0))"}"# },
    ].compactMap(\.self).joined(separator: ", ")
    let policy = """
      {"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Principal": {"Service": "cognito-sync.amazonaws.com"},
        "Action": "sts:AssumeRole", "Condition": {\(conditions)}}}
      """
    guard let rule else {
      _ = try TrustPolicy(json: policy)
      return
    }
    #expect {
      try TrustPolicy(json: policy)
    } throws: { error in
      guard let error = error as? IdentityError else { return false }
      return error.codeText == "trust_policy_invalid" && error.description.contains(full(rule))
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

@testable internal import AccessPolicies
internal import Testing

/// What decisions say.
@Suite struct ExplanationTests {
  private static let policy = """
    {"Version": "2012-10-17", "Statement": [
      {"Sid": "Own", "Effect": "Allow", "Action": ["s3:Get*", "s3:Put*"], "Resource": "arn:aws:s3:::b/${aws:username}/*",
       "Condition": {"IpAddress": {"aws:SourceIp": "203.0.113.0/24"}, "Null": {"aws:TokenIssueTime": "false"}}},
      {"Effect": "Deny", "Action": "s3:Put*", "Resource": "*", "Condition": {"StringNotEquals": {"k": "v"}}}]}
    """

  private func explain(_ action: String, _ context: AccessContext) throws -> AccessExplanation {
    let set = PolicySet(identity: [try AccessPolicy(json: Self.policy, name: "own", kind: .identity)])
    return set.explain(
      AccessRequest(
        principal: .aws("arn:aws:iam::123456789012:user/jo"), action: action, resource: "arn:aws:s3:::b/jo/a",
        context: context))
  }

  @Test func theStatementThatAllows() throws {
    let found = try explain(
      "s3:GetObject",
      ["aws:username": ["jo"], "aws:SourceIp": ["203.0.113.9"], "aws:TokenIssueTime": ["2026-09-05"]])
    #expect(found.decision.isAllowed && found.decision.outcome == .allow)
    #expect(
      found.decision.sentence
        == "s3:GetObject on arn:aws:s3:::b/jo/a is allowed by statement 1 (Own) of the identity policy \"own\""
    )
    #expect(found.statements.map(\.applies) == [true, false])
    #expect(found.statements[1].mismatches.map(\.code) == [.action])
    #expect(found.statements[1].mismatches[0].element == "Action")
    #expect(found.statements[1].mismatches[0].expected == ["s3:Put*"])
    #expect(found.statements[1].mismatches[0].actual == ["s3:GetObject"])
  }

  @Test func theConditionsThatFail() throws {
    let found = try explain("s3:GetObject", ["aws:username": ["jo"], "AWS:sourceIP": ["198.51.100.1"]])
    #expect(found.decision.reason == .notAllowedByIdentity && found.decision.statement == nil)
    #expect(found.decision.sentence == "no identity policy allows s3:GetObject on arn:aws:s3:::b/jo/a")
    let mismatches = found.statements[0].mismatches
    #expect(mismatches.map(\.code) == [.condition, .keyMissing])
    #expect(mismatches.map(\.element) == ["IpAddress aws:SourceIp", "Null aws:TokenIssueTime"])
    #expect(mismatches.map(\.expected) == [["203.0.113.0/24"], ["false"]])
    #expect(mismatches.map(\.actual) == [["198.51.100.1"], []])
  }

  /// A statement that applies says which conditions the request met, and what its variables stood for.
  @Test func theConditionsThatAreMet() throws {
    let allowed = try explain(
      "s3:PutObject",
      [
        "aws:username": ["jo"], "aws:SourceIp": ["203.0.113.9"], "aws:TokenIssueTime": ["2026"],
        "K": ["w", "x"],
      ])
    let allow = allowed.statements[0]
    #expect(
      allow.applies
        && allow.metConditions.map(\.element) == ["IpAddress aws:SourceIp", "Null aws:TokenIssueTime"])
    #expect(allow.metConditions.map(\.expected) == [["203.0.113.0/24"], ["false"]])
    #expect(allow.metConditions.map(\.actual) == [["203.0.113.9"], ["2026"]])
    #expect(allow.metConditions.allSatisfy { !$0.isNegated })
    #expect(allow.variables == [VariableValue(name: "aws:username", value: "jo")])
    let deny = allowed.statements[1]
    #expect(deny.applies && deny.metConditions.count == 1 && deny.metConditions.allSatisfy(\.isNegated))
    #expect(deny.metConditions[0].actual == ["w", "x"] && deny.variables.isEmpty)

    // Some are met and others not.
    let failed = try explain("s3:GetObject", ["aws:username": ["jo"], "aws:SourceIp": ["203.0.113.9"]])
    #expect(failed.statements[0].mismatches.map(\.element) == ["Null aws:TokenIssueTime"])
    #expect(failed.statements[0].metConditions.map(\.element) == ["IpAddress aws:SourceIp"])
    // Nothing is compared after an action that does not fit.
    #expect(failed.statements[1].metConditions.isEmpty && failed.statements[1].variables.isEmpty)
  }

  /// The values of variables: each once, with defaults, of elements that were compared.
  @Test func valuesOfVariables() throws {
    let policy = """
      {"Version": "2012-10-17", "Statement": [
        {"Effect": "Allow", "Action": "a:b", "Resource": ["arn:aws:s3:::${k}/${K}", "arn:aws:s3:::${d, 'x'}/${none}"],
         "Condition": {"StringNotLike": {"v": "${w}*"}, "StringEquals": {"u": "${k}"}}}]}
      """
    let set = PolicySet(identity: [try AccessPolicy(json: policy, name: "v", kind: .identity)])
    func finding(_ resource: String) -> StatementFinding? {
      set.explain(
        AccessRequest(
          principal: .aws(""), action: "a:b", resource: resource,
          context: ["k": ["1"], "w": ["2"], "v": ["2b"], "u": ["1"]])
      ).statements.first
    }
    func value(_ name: String, _ value: String) -> VariableValue { VariableValue(name: name, value: value) }
    let other = try #require(finding("arn:aws:s3:::2"))
    #expect(other.mismatches.map(\.code) == [.variableMissing] && other.mismatches[0].missing == ["none"])
    #expect(other.variables == [value("k", "1"), value("d", "x")])
    let own = try #require(finding("arn:aws:s3:::1/1"))
    #expect(own.variables == [value("k", "1"), value("d", "x"), value("w", "2")])
    #expect(own.mismatches.map(\.element) == ["StringNotLike v"] && own.mismatches[0].isNegated)
    #expect(own.metConditions.map(\.element) == ["StringEquals u"])
  }

  @Test func negatedElements() throws {
    let policy = """
      {"Statement": [
        {"Effect": "Deny", "NotAction": "a:*", "Resource": "*"},
        {"Effect": "Deny", "Action": "a:*", "NotResource": "arn:aws:s3:::b"},
        {"Effect": "Deny", "Action": "a:*", "Resource": "arn:aws:s3:::c"}]}
      """
    let set = PolicySet(identity: [try AccessPolicy(json: policy, name: "n", kind: .identity)])
    let found = set.explain(
      AccessRequest(principal: .aws(""), action: "a:b", resource: "arn:aws:s3:::b"))
    #expect(
      found.statements.flatMap(\.mismatches).map(\.element) == ["NotAction", "NotResource", "Resource"])
    #expect(found.statements.flatMap(\.mismatches).map(\.isNegated) == [true, true, false])
  }

  @Test func theVariableWithoutValue() throws {
    let found = try explain("s3:GetObject", [:])
    let mismatch = try #require(found.statements[0].mismatches.first)
    #expect(mismatch.code == .variableMissing && mismatch.element == "Resource")
    #expect(mismatch.missing == ["aws:username"] && mismatch.expected == ["arn:aws:s3:::b/${aws:username}/*"])
  }

  @Test func theStatementThatDenies() throws {
    let found = try explain("s3:PutObject", ["aws:username": ["jo"]])
    #expect(found.decision.reason == .deniedByStatement && found.decision.outcome == .explicitDeny)
    #expect(found.decision.statement?.number == 2 && found.decision.statement?.sid == nil)
    #expect(
      found.decision.sentence
        == "s3:PutObject on arn:aws:s3:::b/jo/a is denied by statement 2 of the identity policy \"own\"")
  }

  @Test func refusalsAreErrors() throws {
    let set = PolicySet(identity: [try AccessPolicy(json: Self.policy, name: "own", kind: .identity)])
    func request(_ action: String) -> AccessRequest {
      AccessRequest(
        principal: .aws("arn:aws:iam::123456789012:user/jo"), action: action, resource: "arn:aws:s3:::b/jo/a",
        context: [
          "aws:username": ["jo"], "aws:SourceIp": ["203.0.113.9"], "aws:TokenIssueTime": ["x"], "k": ["v"],
        ])
    }
    #expect(try set.check(request("s3:PutObject")).isAllowed)
    #expect {
      try set.check(request("s3:DeleteObject"))
    } throws: {
      ($0 as? AccessRefusal)?.codeText == "access_not_allowed_by_identity"
    }
  }

  /// A root user is allowed by no statement, and only by the ARN of its own account.
  @Test func rootUsers() {
    let arn = "arn:aws:iam::123456789012:root"
    func decide(_ principal: AccessPrincipal) -> AccessDecision {
      PolicySet().decide(
        AccessRequest(principal: principal, action: "s3:GetObject", resource: "arn:aws:s3:::b"))
    }
    let decision = decide(.aws(arn))
    #expect(decision.isAllowed && decision.statement == nil)
    #expect(decision.sentence == "s3:GetObject on arn:aws:s3:::b is allowed to the account's root user")
    #expect(decide(.aws(arn, account: "123456789012")).isAllowed)
    #expect(decide(.aws(arn, account: "999999999999")).reason == .notAllowedByIdentity)
    #expect(decide(.other(.service, arn)).reason == .notAllowedByResource)
  }

  /// Text of requests and policies in sentences is bounded and escaped.
  @Test func sentencesAreBounded() throws {
    let long = String(repeating: "x\n", count: 2_000)
    let decision = PolicySet().decide(
      AccessRequest(principal: .anonymous, action: long, resource: long, context: [:]))
    #expect(decision.sentence.count < 2_500 && !decision.sentence.contains("\n"))
    let document = "{\"Statement\": {\"Effect\": \"Allow\", \"\(String(repeating: "é", count: 900))\": 1}}"
    #expect {
      try AccessPolicy(json: document, name: "p", kind: .identity)
    } throws: { "\($0)".count < 200 }
  }

  @Test func namesOfCallers() {
    let session = AccessPrincipal.aws("arn:aws-cn:sts::123456789012:assumed-role/app/jane")
    #expect(session.parent == "arn:aws-cn:iam::123456789012:role/app" && session.account == "123456789012")
    let path = AccessPrincipal.aws(session.name, parent: "arn:aws-cn:iam::123456789012:role/team/app")
    #expect(path.parent == "arn:aws-cn:iam::123456789012:role/team/app")
    #expect(AccessPrincipal.aws("jane", account: "1").account == "1")
    #expect(AccessPrincipal.aws("jane").account == nil && AccessPrincipal.aws("a:b:sts:::c").account == nil)
    #expect(AccessPrincipal.other(.service, "x").account == nil && AccessPrincipal.anonymous.kind == nil)
    #expect(AccessPrincipal.other(.aws, session.name) == session)
    #expect(AccessPrincipal.aws("arn:aws:sts::123456789012:federated-user/jo").parent == nil)
  }

  @Test func keysOfContexts() {
    var context: AccessContext = ["aws:A": ["1"], "AWS:a": ["2"], "b": []]
    #expect(context["Aws:a"] == ["2"] && context["c"] == nil && context.names == ["aws:a", "b"])
    context["AWS:A"] = nil
    #expect(context.names == ["b"])
  }
}

internal import AccessPolicies
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityVectorFiles

/// Policies, by the cases of `Vectors/access-policies.json`.
@Suite struct PolicyVectorTests {
  @Test(arguments: try VectorFile.load("access-policies").cases)
  func policy(_ vector: VectorFile.Case) throws {
    if vector.input["policies"] != nil { return try decisions(vector) }
    try VectorFile.Case.check(vector.input, knows: ["text", "kind", "at", "fill", "count"])
    var text = try #require(vector.input["text"]?.string)
    if let fill = vector.input["fill"]?.string {
      let count = try #require(vector.input["count"]?.int64)
      text = text.replacing("@", with: String(repeating: fill, count: Int(count)))
    }
    let kind = try #require(AccessPolicyKind(name: vector.input["kind"]?.string ?? ""))
    if let reject = vector.reject {
      #expect {
        try AccessPolicy(json: text, name: "p", kind: kind)
      } throws: { error in
        guard let error = error as? AccessPolicyError else { return false }
        return error.codeText == reject && "\(error.place)" == vector.input["at"]?.string
          && error.description.hasPrefix("\(error.place): ")
      }
      return
    }
    let expect = try #require(vector.expect)
    try VectorFile.Case.check(expect, knows: ["warnings"])
    let policy = try AccessPolicy(json: text, name: "p", kind: kind)
    #expect(policy.warnings.map { "\($0.place): \($0.code.rawValue)" } == expect["warnings"]?.strings)
    #expect(policy.warnings.allSatisfy { $0.description.hasPrefix("\($0.place): ") && !$0.sentence.isEmpty })
  }

  private func decisions(_ vector: VectorFile.Case) throws {
    try VectorFile.Case.check(vector.input, knows: ["policies", "requests"])
    let policies = try #require(vector.input["policies"]?.object)
    try VectorFile.Case.check(policies, knows: ["identity", "resource", "boundary", "session"])
    func read(_ name: String, _ kind: AccessPolicyKind) throws -> [AccessPolicy] {
      try (policies[name]?.array ?? []).enumerated().map { index, document in
        try AccessPolicy(json: document.description, name: "\(name)-\(index)", kind: kind)
      }
    }
    let set = PolicySet(
      identity: try read("identity", .identity), resource: try read("resource", .resource),
      boundary: try read("boundary", .identity), session: try read("session", .identity))
    let requests = try #require(vector.input["requests"]?.array)
    let reasons = try #require(vector.expect?["reasons"]?.strings)
    #expect(requests.count == reasons.count && !requests.isEmpty)
    for (value, reason) in zip(requests, reasons) {
      let request = try Self.request(#require(value.object))
      let decision = set.decide(request)
      #expect(decision.reason.rawValue == reason, "\(value)")
      // The explanation decides the same, and each statement that decides applies.
      let explanation = set.explain(request)
      #expect(explanation.decision == decision)
      let deciding = explanation.statements.first { $0.statement == decision.statement }
      #expect((deciding?.applies ?? true) && (decision.statement == nil || deciding != nil))
      let denies = explanation.statements.contains { $0.applies && !$0.isAllow }
      #expect(denies == (decision.outcome == .explicitDeny))
    }
  }

  private static func request(_ object: JSONObject) throws -> AccessRequest {
    try VectorFile.Case.check(
      object, knows: ["principal", "parent", "action", "resource", "resourceAccount", "context"])
    var context = AccessContext()
    for member in object["context"]?.object?.members ?? [] {
      let values: [String] = try #require(member.value.strings)
      context[member.name] = values
    }
    var principal = AccessPrincipal.anonymous
    if let member = object["principal"]?.object?.members.first {
      let kind = try #require(AccessPrincipal.Kind(name: member.name))
      let name = try #require(member.value.string)
      principal = kind == .aws ? .aws(name, parent: object["parent"]?.string) : .other(kind, name)
    }
    return AccessRequest(
      principal: principal, action: try #require(object["action"]?.string),
      resource: try #require(object["resource"]?.string), resourceAccount: object["resourceAccount"]?.string,
      context: context)
  }
}

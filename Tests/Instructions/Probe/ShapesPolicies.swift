internal import AccessPolicies

extension Shape {
  /// Policy documents, and decisions over them.
  static func policies() -> [Shape] {
    func document(_ statements: String) -> String {
      "{\"Version\":\"2012-10-17\",\"Statement\":[\(statements)]}"
    }
    func statement(_ resource: String, _ more: String = "") -> String {
      "{\"Effect\":\"Allow\",\"Action\":\"s3:Get*\",\"Resource\":\"\(resource)\"\(more)}"
    }
    func read(_ name: String, from size: Int, _ text: @escaping (Int) -> String) -> Shape {
      Shape("access-policy-" + name, from: size) { size in
        let json = text(size)
        return { _ = try Self.policy(json) }
      }
    }
    func decide(
      _ name: String, from size: Int, ends outcome: String, _ text: @escaping (Int) -> String,
      _ request: @escaping (Int) -> AccessRequest
    ) -> Shape {
      Shape("access-decision-" + name, from: size, ends: outcome) { size in
        let set = PolicySet(identity: [try Self.policy(text(size))])
        let request = request(size)
        return { try set.check(request) }
      }
    }
    /// The explanation of a request that is not allowed.
    func explain(
      _ name: String, from size: Int, _ text: @escaping (Int) -> String, _ request: AccessRequest
    ) -> Shape {
      Shape("access-explanation-" + name, from: size) { size in
        let set = PolicySet(identity: [try Self.policy(text(size))])
        return {
          let explanation = set.explain(request)
          guard !explanation.decision.isAllowed, !explanation.statements.isEmpty else {
            throw ProbeError("it is allowed")
          }
        }
      }
    }
    func condition(_ members: String) -> String { statement("*", ",\"Condition\":{\(members)}") }
    func request(_ resource: String, _ context: AccessContext = [:]) -> AccessRequest {
      AccessRequest(
        principal: .aws("arn:aws:iam::123456789012:user/jo"), action: "s3:GetObject", resource: resource,
        context: context)
    }
    let refused = "access_not_allowed_by_identity"
    // Patterns end with a star, so that bytes at the end refuse no text before the automata read it.
    return [
      read("statements", from: 16_384) { document(filled($0, separator: ",") { _ in statement("*") }) },
      read("values", from: 16_384) {
        document(
          statement(
            "*",
            ",\"Condition\":{\"StringLike\":{\"k\":[" + filled($0, separator: ",") { "\"v*\($0)\"" } + "]}}"))
      },
      read("warnings", from: 16_384) {
        document(
          "{\"Effect\":\"Allow\",\"Resource\":\"*\",\"Action\":["
            + filled($0, separator: ",") { "\"a\($0)\"" } + "]}")
      },
      read("variables", from: 4_096) {
        document(statement("arn:aws:s3:::" + filled($0) { "${k\($0),'v'}" }))
      },
      read("keys", from: 16_384) {
        document(
          statement(
            "*",
            ",\"Condition\":{\"StringEquals\":{" + filled($0, separator: ",") { "\"k\($0)\":\"v\"" } + "}}"))
      },
      decide("statements", from: 16_384, ends: refused) {
        document(filled($0, separator: ",") { statement("arn:aws:s3:::b/\($0)/?") })
      } _: { _ in
        request("arn:aws:s3:::b/x")
      },
      decide("values", from: 16_384, ends: refused) {
        document(
          statement(
            "*",
            ",\"Condition\":{\"StringLike\":{\"k\":[" + filled($0, separator: ",") { "\"v*?\($0)*\"" } + "]}}"
          )
        )
      } _: { _ in
        request("arn:aws:s3:::b", ["k": ["vvvvvv"]])
      },
      decide("keys", from: 4_096, ends: refused) { _ in
        document(statement("*", ",\"Condition\":{\"ForAllValues:StringLike\":{\"k\":[\"*a?b*c\"]}}"))
      } _: { size in
        request("arn:aws:s3:::b", ["k": (0..<size / 8).map { _ in "aabbcc" } + ["x"]])
      },
      decide("wildcards", from: 4_096, ends: refused) { _ in
        document(statement("arn:aws:s3:::" + String(repeating: "*a", count: 30) + "*b*"))
      } _: {
        request("arn:aws:s3:::" + String(repeating: "a", count: $0))
      },
      // All states of a long pattern, and one of them after the other.
      decide("pattern", from: 512, ends: refused) {
        document(statement("arn:aws:s3:::*" + String(repeating: "a", count: $0) + "b*"))
      } _: { _ in
        request("arn:aws:s3:::" + String(repeating: "a", count: 4_096))
      },
      decide("characters", from: 1_024, ends: refused) {
        document(statement("arn:aws:s3:::" + String(repeating: "?", count: $0) + "*b*"))
      } _: {
        request("arn:aws:s3:::" + String(repeating: "a", count: 2 * $0))
      },
      decide("actions", from: 4_096, ends: refused) {
        document(
          "{\"Effect\":\"Allow\",\"Resource\":\"*\",\"Action\":["
            + filled($0, separator: ",") { "\"s3:*\($0)?*\"" } + "]}")
      } _: { _ in
        request("arn:aws:s3:::b")
      },
      decide("operators", from: 4_096, ends: refused) {
        let numbers = filled($0 / 2, separator: ",") { "\"7\($0)\"" }
        let ranges = filled($0 / 2, separator: ",") { _ in "\"2001:db8::/32\"" }
        return document(
          condition("\"NumericEquals\":{\"n\":[\(numbers)]}") + ","
            + condition("\"IpAddress\":{\"i\":[\(ranges)]}"))
      } _: { _ in
        request("arn:aws:s3:::b", ["n": ["8"], "i": ["2001:db9::1"]])
      },
      decide("conditions", from: 4_096, ends: refused) {
        document(
          condition(
            "\"StringEquals\":{" + filled($0, separator: ",") { "\"k\($0)\":\"v\"" }
              + "},\"Null\":{\"x\":\"false\"}"))
      } _: { size in
        var context = AccessContext()
        for index in 0..<size / 8 { context["k\(index)"] = ["v"] }
        return request("arn:aws:s3:::b", context)
      },
      decide("variables", from: 2_048, ends: refused) {
        document(statement("arn:aws:s3:::" + filled($0) { _ in "${k}*" } + "b*"))
      } _: { _ in
        request("arn:aws:s3:::" + String(repeating: "a", count: 256), ["k": ["a"]])
      },
      // Values one after the other, none of which is put together first.
      decide("variables-in-turn", from: 4_096, ends: refused) {
        document(statement("arn:aws:s3:::" + filled($0) { _ in "${k}-" }))
      } _: { size in
        request("arn:aws:s3:::" + String(repeating: "a-", count: size / 5) + "b", ["k": ["a"]])
      },
      explain(
        "statements", from: 4_096,
        { document(filled($0, separator: ",") { statement("arn:aws:s3:::b/\($0)/?") }) },
        request("arn:aws:s3:::b/x")),
      explain(
        "values", from: 4_096,
        {
          document(
            condition("\"StringLike\":{\"k\":[" + filled($0, separator: ",") { "\"v*?\($0)*\"" } + "]}"))
        },
        request("arn:aws:s3:::b", ["k": ["vvvvvv"]])),
      explain(
        "variables", from: 4_096,
        {
          document(
            condition("\"StringLike\":{\"k\":[" + filled($0, separator: ",") { "\"*${k}${x\($0)}\"" } + "]}"))
        },
        request("arn:aws:s3:::b", ["k": ["v"]])),
    ]
  }

  private static func policy(_ json: String) throws -> AccessPolicy {
    var limits = AccessPolicyLimits()
    limits.size = 1 << 20
    limits.statements = 1 << 20
    limits.values = 1 << 20
    limits.textSize = 1 << 20
    return try AccessPolicy(json: json, name: "p", kind: .identity, limits: limits)
  }
}

@testable internal import AccessPolicies
internal import Testing
internal import TokenSecurityBase

/// Bounds of documents, and bad input.
@Suite struct PolicyLimitTests {
  private static func document(statements: Int, actions: Int = 1) -> String {
    let actions = [String](repeating: "\"s3:Get*\"", count: actions).joined(separator: ",")
    let statement = "{\"Effect\":\"Allow\",\"Action\":[\(actions)],\"Resource\":\"*\"}"
    return "{\"Statement\":[" + [String](repeating: statement, count: statements).joined(separator: ",")
      + "]}"
  }

  private static func code(_ json: String, _ limits: AccessPolicyLimits = AccessPolicyLimits()) -> String? {
    do throws(AccessPolicyError) {
      _ = try AccessPolicy(json: json, name: "p", kind: .identity, limits: limits)
      return nil
    } catch {
      return error.codeText
    }
  }

  @Test func boundsAreSettings() {
    var limits = AccessPolicyLimits()
    #expect(Self.code(Self.document(statements: 256), limits) == nil)
    limits.size = 1 << 22
    #expect(Self.code(Self.document(statements: 257), limits) == "access_policy_too_many_statements")
    #expect(Self.code(Self.document(statements: 10_000), limits) == "access_policy_too_many_statements")
    limits.statements = 10_000
    #expect(Self.code(Self.document(statements: 10_000), limits) == "access_policy_too_many_values")
    limits.values = 20_000
    #expect(Self.code(Self.document(statements: 10_000), limits) == nil)
    limits.textSize = 6
    #expect(Self.code(Self.document(statements: 1), limits) == "access_policy_text_too_long")
    limits.depth = 3
    #expect(Self.code(Self.document(statements: 1), limits) == "json_nesting")
  }

  @Test func aMebibyteIsRefusedBySizeAlone() {
    let text = "{\"Statement\":\"" + String(repeating: "a", count: 1 << 20) + "\"}"
    #expect(Self.code(text) == "json_too_large")
  }

  @Test(arguments: [
    "{\"Statement\":{\"Effect\":\"Allow\",\"Action\":\"*\",\"Resource\":\"\u{0}\"}}", "\u{FEFF}{}",
    "{\"Statement\"",
    "{\"Statement\":{\"Effect\":\"\\ud800\"}}",
  ])
  func placesAreInTheText(_ text: String) {
    #expect {
      try AccessPolicy(json: text, name: "p", kind: .identity)
    } throws: {
      guard let error = $0 as? AccessPolicyError, error.code == .json else { return false }
      return error.place.line == 1 && error.place.column <= text.unicodeScalars.count + 1
    }
  }

  @Test func placesCountCharacters() {
    let text = "{\r\n \"Id\": \"é😀\", \"x\": 1}"
    #expect(throws: AccessPolicyError.elementUnknown("x", at: PolicyPlace(line: 2, column: 14))) {
      try AccessPolicy(json: text, name: "p", kind: .resource)
    }
  }

  @Test func eachOperatorIsRead() throws {
    let values: [String: String] = [
      "String": "x", "Numeri": "1", "DateEq": "2020", "DateNo": "2020", "DateLe": "2020", "DateGr": "2020",
      "Bool": "true",
      "Binary": "YQ==", "IpAddr": "::1", "NotIpA": "::1", "ArnEqu": "a:b:c:d:e:f", "ArnLik": "a:b:c:d:e:f",
      "ArnNot": "a:b:c:d:e:f", "Null": "true",
    ]
    for comparison in ConditionOperator.allCases {
      let value = try #require(values[String(comparison.name.prefix(6))])
      for quantifier in ["", "ForAllValues:", "ForAnyValue:"] {
        for suffix in ["", "IfExists"] {
          let name = quantifier + comparison.name + suffix
          let json = """
            {"Statement": {"Effect": "Deny", "Action": "*", "Resource": "*", "Condition": {"\(name)": {"k": "\(value)"}}}}
            """
          let isRefused = comparison == .null && !suffix.isEmpty
          #expect(Self.code(json) == (isRefused ? "access_policy_operator_unknown" : nil), "\(name)")
          guard !isRefused else { continue }
          let policy = try AccessPolicy(json: json, name: "p", kind: .identity)
          let condition = try #require(policy.statements.first?.conditions.first)
          #expect(condition.operatorText == name && condition.allowsAbsence == !suffix.isEmpty)
        }
      }
    }
  }
}

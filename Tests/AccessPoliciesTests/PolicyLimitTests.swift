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

  /// Documents that are as costly as their size allows, with the code and the place of what is refused. Those of a mebibyte are
  /// read with bounds that allow them.
  static let large: [(name: String, text: String, isOfLimit: Bool, code: String, line: Int, column: Int)] = {
    let size = 1 << 20
    let statement = "{\"Effect\":\"Allow\",\"Action\":\"*\",\"Resource\":\"*\"}"
    func filled(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
    return [
      ("a text", "{\"Statement\":\"" + filled("a", size) + "\"}", false, "json_too_large", 1, 1),
      ("blanks", filled(" ", size) + "{}", false, "json_too_large", 1, 1),
      ("arrays", filled("[", size - 1), true, "json_nesting", 1, 9),
      ("objects", filled("{\"a\":", 100_000), true, "json_nesting", 1, 41),
      ("lines", "{" + filled("\n", size - 3) + "]", true, "json_syntax", size - 2, 1),
      ("a list of numbers", "[" + filled("1,", 500_000) + "1]", true, "access_policy_type", 1, 1),
      (
        "statements", "{\"Statement\":[" + filled(statement + ",\n", 10_000) + statement + "]}", true,
        "access_policy_too_many_statements", 257, 1
      ),
      (
        "statements of a wrong type", "{\"Statement\":[" + filled("[],", 255) + "0]}", true,
        "access_policy_type", 1, 15
      ),
      (
        "members", "{" + (0..<50_000).map { "\"m\($0)\":0" }.joined(separator: ",") + "}", true,
        "access_policy_element_unknown", 1, 2
      ),
      (
        "values",
        "{\"Statement\":" + statement.dropLast() + ",\"Condition\":{\"StringEquals\":{\"k\":["
          + filled("true,", 100_000) + "{}]}}}}", true, "access_policy_too_many_values", 1, 93
      ),
    ]
  }()

  @Test(arguments: large.indices)
  func largeDocuments(_ index: Int) {
    let (name, text, isOfLimit, code, line, column) = Self.large[index]
    var limits = AccessPolicyLimits()
    if isOfLimit { limits.size = 1 << 20 }
    #expect(text.utf8.count <= limits.size || !isOfLimit, "\(name)")
    do throws(AccessPolicyError) {
      _ = try AccessPolicy(json: text, name: "p", kind: .identity, limits: limits)
      Issue.record("\(name) is read")
    } catch {
      #expect(
        error.codeText == code && error.place == TextPosition(line: line, column: column), "\(name): \(error)"
      )
    }
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
    #expect(throws: AccessPolicyError.elementUnknown("x", at: TextPosition(line: 2, column: 14))) {
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

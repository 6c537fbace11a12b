package import TokenSecurityBase

/// The verification of a token, check by check.
public struct Explanation: Sendable {
  /// The checks in the order in which they were made.
  public let checks: [Check]
  /// The result: the token, or the first rule that it broke.
  public let result: Result<VerifiedToken, JOSEError>
  /// The header, if it could be read. It may be unverified.
  public let header: JOSEHeader?
  /// The time of the verification.
  public let checkedAt: NumericDate

  /// One check.
  public struct Check: Sendable {
    /// A short stable name: `signature`, `exp`, `aud`.
    public let name: String
    /// The section of the standard, if the rule comes from one.
    public let reference: String?
    /// The policy's expectation.
    public let expected: String
    /// The value in the token; nil if the check was not reached. Text of the token is bounded and escaped.
    public internal(set) var actual: String?
    /// How it ended.
    public let outcome: Outcome
  }

  /// How a check ended.
  public enum Outcome: Sendable, Equatable {
    /// The token satisfies the rule.
    case passed
    /// The token breaks the rule.
    case failed(JOSEError)
    /// The policy does not check this, for the stated reason.
    case unchecked(because: String)
    /// An earlier check failed.
    case notReached

    /// A stable word for programs.
    public var word: String {
      switch self {
      case .passed: "passed"
      case .failed: "failed"
      case .unchecked: "unchecked"
      case .notReached: "not_reached"
      }
    }
  }
}

extension Explanation {
  /// A result without checks.
  package init(
    result: Result<VerifiedToken, JOSEError>, header: JOSEHeader?, at now: NumericDate
  ) {
    self.init(checks: [], result: result, header: header, checkedAt: now)
  }
}

extension Explanation {
  /// The explanation of a token of none of the issuers whose keys are known: nothing else of it was checked.
  ///
  /// - Parameters:
  ///   - issuer: its `iss`; nil if it has none.
  ///   - compact: the token.
  ///   - expected: the issuers.
  ///   - now: the current time.
  package init(untrustedIssuer issuer: String?, of compact: String, expected: [String], at now: NumericDate) {
    let error: JOSEError =
      issuer.map { .issuerMismatch(expected: expected, actual: $0) } ?? .claimMissing(name: "iss")
    let check = Check(
      name: "iss", reference: "RFC 7519 section 4.1.1", expected: expected.quotedList,
      actual: issuer.map(\.quoted) ?? "absent", outcome: .failed(error))
    self.init(
      checks: [check], result: .failure(error), header: (try? UnverifiedToken(compact))?.header,
      checkedAt: now)
  }
}

extension Explanation.Check {
  /// The check as JSON, for programs.
  package var json: JSONObject {
    var object: JSONObject = [
      "name": .string(name), "reference": JSONValue(reference), "expected": .string(expected),
      "actual": JSONValue(actual), "outcome": .string(outcome.word),
    ]
    switch outcome {
    case .passed, .notReached: break
    case .failed(let error):
      object["code"] = .string(error.codeText)
      object["message"] = .string("\(error)")
    case .unchecked(let reason): object["because"] = .string(reason)
    }
    return object
  }
}

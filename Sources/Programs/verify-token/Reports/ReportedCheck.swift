internal import JOSE
internal import SigV4
internal import TokenSecurityBase

/// A check of a token or of a request, as both reports show it.
struct ReportedCheck {
  enum Outcome {
    case passed
    case failed(any CodedError)
    case unchecked(because: String)
    case notReached
  }

  let name: String
  var reference: String?
  /// The expected value; nil for checks of requests, which report only how they ended.
  var expected: String?
  var actual: String?
  let outcome: Outcome

  init(_ check: RequestExplanation.Check) {
    name = check.name
    outcome = check.error.map { .failed($0) } ?? .passed
  }

  init(_ check: Explanation.Check) {
    name = check.name
    reference = check.reference
    expected = check.expected
    actual = check.actual
    outcome =
      switch check.outcome {
      case .passed: .passed
      case .failed(let error): .failed(error)
      case .unchecked(let reason): .unchecked(because: reason)
      case .notReached: .notReached
      }
  }

  /// A check of a request as JSON. One of a token has its own.
  var json: JSONValue {
    var object: JSONObject = ["name": .string(name)]
    switch outcome {
    case .passed: object["outcome"] = "passed"
    case .notReached: object["outcome"] = "not_reached"
    case .failed(let error):
      object["outcome"] = "failed"
      object["code"] = .string(error.codeText)
      object["message"] = .string("\(error)")
    case .unchecked(let reason):
      object["outcome"] = "unchecked"
      object["because"] = .string(reason)
    }
    return .object(object)
  }
}

extension TextReport {
  /// One line per check: outcome, name, expected and actual value. The error of a failed check follows on a
  /// line of its own.
  func checks(_ checks: [ReportedCheck], at instant: String) -> String {
    let names = Self.width(checks.map(\.name), atMost: 24)
    let expected = checks.compactMap(\.expected)
    let column = Self.width(expected, atMost: 44)
    let indent = String(repeating: " ", count: expected.isEmpty ? 8 : names + 10)
    var text = "checked at \(instant)\n\n"
    if !expected.isEmpty {
      text += style.faint(
        "        " + "check".padded(to: names) + "  " + "expected".padded(to: column) + "  actual")
      text += "\n"
    }
    for check in checks {
      var line = check.name
      if var words = check.expected {
        var actual = check.actual
        if case .unchecked(let reason) = check.outcome { words += " (\(reason))" }
        if case .notReached = check.outcome { actual = "not reached" }
        if let actual {
          // A value that is too long for its column moves the next one to a new line.
          words =
            words.count <= column ? words.padded(to: column) : words + "\n" + indent + "".padded(to: column)
          words += "  " + actual
        }
        line = check.name.padded(to: names) + "  " + words
      }
      switch check.outcome {
      case .passed: text += style.good("  ok    ") + line
      case .failed(let error): text += style.bad("  FAIL  ") + line + "\n" + indent + style.bad("\(error)")
      case .unchecked: text += style.faint("  --    " + line)
      case .notReached: text += style.faint("        " + line)
      }
      text += "\n"
    }
    return text + "\n"
  }
}

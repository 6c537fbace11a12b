internal import TokenSecurityBase

/// Expected and actual values as short text for people.
enum Summary {
  static func expected(_ expectation: Expectation<String>) -> String {
    switch expectation {
    case .oneOf(let values): list(values.map { $0.quoted(upTo: 128) }, empty: "nothing", separator: " or ")
    case .absent: "absent"
    case .unchecked: "not checked"
    }
  }

  static func expected(_ expectation: Expectation<JSONValue>) -> String {
    switch expectation {
    case .oneOf(let values): list(values.map(\.summary), empty: "nothing", separator: " or ")
    case .absent: "absent"
    case .unchecked: "not checked"
    }
  }

  static func expected(_ admission: Admission) -> String {
    switch admission {
    case .refused: "absent"
    case .only(let values): "absent, or " + list(values.map(\.quoted), empty: "nothing", separator: " or ")
    case .unchecked: "not checked"
    }
  }

  static func expected(_ limit: Limit) -> String {
    switch limit {
    case .atMost(let duration): "at most \(TimeSpan(duration))"
    case .rule(let rule): "at most \(TimeSpan(rule.longest)) (\(rule.name))"
    case .unchecked: "not checked"
    }
  }

  static func keys(_ keys: [JWK]) -> String {
    list(
      keys.map { "\($0.kind.name) of \($0.bits) bits" + ($0.keyID.map { ", kid \($0.quoted)" } ?? "") },
      empty: "none", separator: "; ")
  }

  static func list(_ texts: [String], empty: String, separator: String = ", ") -> String {
    guard !texts.isEmpty else { return empty }
    let shown = texts.prefix(6).joined(separator: separator)
    return texts.count > 6 ? shown + " and \(texts.count - 6) more" : shown
  }
}

extension JSONValue {
  /// The value as JSON of at most 96 characters, escaped for a terminal.
  var summary: String {
    if let string { return string.quoted }
    if let strings { return Summary.list(strings.map(\.quoted), empty: "an empty array") }
    return description.bounded(to: 96)
  }
}

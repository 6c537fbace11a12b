internal import TokenSecurityBase

extension AccessPolicyError {
  /// The stable code of an error. A code never changes its meaning; new ones may be added.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The text is not JSON; `codeText` is the code of the JSON error.
    case json = "access_policy_json"
    case type = "access_policy_type"
    case elementUnknown = "access_policy_element_unknown"
    case elementMissing = "access_policy_element_missing"
    case elementNotAllowed = "access_policy_element_not_allowed"
    case elementsExclusive = "access_policy_elements_exclusive"
    case elementEmpty = "access_policy_element_empty"
    case versionUnknown = "access_policy_version_unknown"
    case effectUnknown = "access_policy_effect_unknown"
    case operatorUnknown = "access_policy_operator_unknown"
    case conditionKeyRepeated = "access_policy_condition_key_repeated"
    case valueInvalid = "access_policy_value_invalid"
    case principalInvalid = "access_policy_principal_invalid"
    case variableMalformed = "access_policy_variable_malformed"
    case variableMisplaced = "access_policy_variable_misplaced"
    case textTooLong = "access_policy_text_too_long"
    case tooManyStatements = "access_policy_too_many_statements"
    case tooManyValues = "access_policy_too_many_values"
  }

  /// The code and the sentence of each case.
  public var details: (code: Code, sentence: String) {
    let (code, sentence) = rule
    return (code, "\(place): \(sentence)")
  }

  /// The code as text: that of the JSON error, if there is one.
  public var codeText: String {
    if case .json(let error, _) = self { error.codeText } else { code.rawValue }
  }

  /// The place in the document.
  public var place: TextPosition {
    switch self {
    case .json(_, let place), .type(_, _, let place), .elementUnknown(_, let place),
      .elementMissing(_, let place), .elementNotAllowed(_, _, let place),
      .elementsExclusive(_, _, let place), .elementEmpty(_, let place), .versionUnknown(_, let place),
      .effectUnknown(_, let place), .operatorUnknown(_, let place), .conditionKeyRepeated(_, let place),
      .valueInvalid(_, _, let place), .principalInvalid(_, let place), .variableMalformed(_, let place),
      .variableMisplaced(_, let place), .textTooLong(_, _, let place), .tooManyStatements(_, let place),
      .tooManyValues(_, let place):
      place
    }
  }

  /// The code, and the sentence without the place.
  package var rule: (code: Code, sentence: String) {
    switch self {
    case .json(let error, _): (.json, "\(error)")
    case .type(let element, let expected, _): (.type, "\(element) must be \(expected)")
    case .elementUnknown(let name, _): (.elementUnknown, "the element \(name.quoted) is unknown here")
    case .elementMissing(let name, _): (.elementMissing, "\(name) is missing")
    case .elementNotAllowed(let name, let kind, _):
      (.elementNotAllowed, "\(kind.article) policy does not have the element \(name)")
    case .elementsExclusive(let one, let other, _):
      (.elementsExclusive, "a statement has either \(one) or \(other)")
    case .elementEmpty(let name, _): (.elementEmpty, "\(name) has no value")
    case .versionUnknown(let text, _):
      (.versionUnknown, "Version is \(text.quoted); it must be \"2012-10-17\" or \"2008-10-17\"")
    case .effectUnknown(let text, _):
      (.effectUnknown, "Effect is \(text.quoted); it must be \"Allow\" or \"Deny\"")
    case .operatorUnknown(let name, _):
      (.operatorUnknown, "the condition operator \(name.quoted) is unknown")
    case .conditionKeyRepeated(let name, _):
      (.conditionKeyRepeated, "\(name.quoted) is duplicated: condition keys are case-insensitive")
    case .valueInvalid(let text, let expected, _):
      (.valueInvalid, "the value \(text.quoted) is not \(expected)")
    case .principalInvalid(let text, _): (.principalInvalid, "the principal \(text.quoted) is not supported")
    case .variableMalformed(let text, _):
      (
        .variableMalformed,
        "\(text.quoted) has a malformed policy variable: write ${key} or ${key, 'default'}"
      )
    case .variableMisplaced(let text, _):
      (
        .variableMisplaced,
        "\(text.quoted) has a policy variable before the resource part of the ARN, the one after the fifth colon"
      )
    case .textTooLong(let size, let limit, _):
      (.textTooLong, "a text has \(size) bytes; the limit is \(limit)")
    case .tooManyStatements(let limit, _): (.tooManyStatements, "there are more than \(limit) statements")
    case .tooManyValues(let limit, _): (.tooManyValues, "there are more than \(limit) values")
    }
  }
}

extension AccessPolicyKind {
  /// The kind with an article, for sentences.
  fileprivate var article: String {
    switch self {
    case .identity: "an identity-based"
    case .resource: "a resource-based"
    case .trust: "a trust"
    }
  }
}

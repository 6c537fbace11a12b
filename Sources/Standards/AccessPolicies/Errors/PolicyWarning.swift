internal import TokenSecurityBase

/// A part of a policy document that is accepted and cannot do what it seems to do.
public struct PolicyWarning: Sendable, Hashable, CustomStringConvertible {
  /// The stable code of a warning. A code never changes its meaning; new ones may be added.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    /// No request has such an action: it is empty, has no colon, or has a variable, which is literal text there.
    case actionNeverMatches = "access_policy_action_never_matches"
    /// No request has such a resource: it is empty, no ARN, or one of fewer than six parts.
    case resourceNeverMatches = "access_policy_resource_never_matches"
    /// No caller has such a name: the element is empty, or a name has a wildcard.
    case principalNeverMatches = "access_policy_principal_never_matches"
    /// The value of an ARN operator has fewer than six parts.
    case valueNeverMatches = "access_policy_value_never_matches"
    /// In a document of the version 2008-10-17 a variable is literal text.
    case variableIsLiteral = "access_policy_variable_is_literal"
    /// Two statements have one `Sid`.
    case sidRepeated = "access_policy_sid_repeated"
    /// `Null` with a quantifier compares no value: `ForAllValues:Null` is always met, `ForAnyValue:Null` never.
    case nullQuantified = "access_policy_null_quantified"
    /// `Allow` with `NotResource` allows the excepted resource, too, where a variable has no value.
    case notResourceVariable = "access_policy_not_resource_variable"
  }

  /// The code.
  public let code: Code
  /// The text of the document that the warning is about, or the name of its element.
  public let text: String
  /// The place in the document.
  public let place: TextPosition

  /// The place and one sentence.
  public var description: String { "\(place): \(sentence)" }

  /// One sentence, without the place.
  public var sentence: String {
    let text = text.quoted(upTo: 128)
    return switch code {
    case .actionNeverMatches: "\(text) matches no action: an action is SERVICE:NAME"
    case .resourceNeverMatches: "\(text) matches no resource: a resource is an ARN of six parts"
    case .principalNeverMatches: "\(text) matches no principal: names have no wildcards"
    case .valueNeverMatches: "\(text) matches no ARN: it has fewer than six parts"
    case .variableIsLiteral:
      "the variable in \(text) is literal text: variables need \"Version\": \"2012-10-17\""
    case .sidRepeated: "another statement has the Sid \(text), too"
    case .nullQuantified:
      "\(text) compares no value: ForAllValues:Null is always met, ForAnyValue:Null never"
    case .notResourceVariable: "a variable without a value in \(text) excepts nothing: write a default"
    }
  }
}

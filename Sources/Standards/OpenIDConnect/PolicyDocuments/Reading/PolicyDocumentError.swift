public import JOSE
public import TokenSecurityBase

/// Why a policy document was refused.
@nonexhaustive public enum PolicyDocumentError: CodedError, Equatable {
  /// The text is not JSON of the accepted form. `sentence` names the line and the column.
  case json(JSONError, sentence: String)
  /// A member breaks a rule. `member` is its path: `issuers[0].client_ids`.
  case member(String, rule: String)
  /// The keys, or the rules of an issuer, are refused.
  case token(JOSEError)
  /// The settings of an issuer are refused.
  case issuer(OpenIDError)

  /// The stable code of an error. A code never changes its meaning; new ones may be added.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    /// A policy document is not JSON of the accepted form, or has a member that breaks a rule.
    case documentInvalid = "policy_document_invalid"
  }

  /// The code and the sentence.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .json(_, let sentence): (.documentInvalid, "the document: \(sentence)")
    case .member(let path, let rule): (.documentInvalid, "\(path) \(rule)")
    case .token(let error): (.documentInvalid, "\(error)")
    case .issuer(let error): (.documentInvalid, "\(error)")
    }
  }

  /// The stable code as text: that of the keys' or the issuer's error, if there is one.
  public var codeText: String {
    switch self {
    case .json(let error, _): error.codeText
    case .member: code.rawValue
    case .token(let error): error.codeText
    case .issuer(let error): error.codeText
    }
  }
}

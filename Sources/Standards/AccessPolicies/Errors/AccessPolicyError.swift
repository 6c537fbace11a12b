public import TokenSecurityBase

/// Why a policy document was refused: one case for each rule, with the place in the document.
@nonexhaustive public enum AccessPolicyError: CodedError, Equatable {
  /// The text is not JSON of the accepted form. `codeText` is the code of the JSON error.
  case json(JSONError, at: TextPosition)
  /// A value is not of the type that its element has.
  case type(element: String, expected: String, at: TextPosition)
  /// There is no element of this name.
  case elementUnknown(String, at: TextPosition)
  /// A required element is missing.
  case elementMissing(String, at: TextPosition)
  /// A policy of this kind does not have the element.
  case elementNotAllowed(String, in: AccessPolicyKind, at: TextPosition)
  /// A statement has an element and its negation.
  case elementsExclusive(String, String, at: TextPosition)
  /// An element has no value.
  case elementEmpty(String, at: TextPosition)
  /// `Version` is not one of the two versions of the language.
  case versionUnknown(String, at: TextPosition)
  /// `Effect` is neither `Allow` nor `Deny`.
  case effectUnknown(String, at: TextPosition)
  /// There is no condition operator of this name.
  case operatorUnknown(String, at: TextPosition)
  /// A condition key occurs twice under one operator. Keys are case-insensitive.
  case conditionKeyRepeated(String, at: TextPosition)
  /// A value is not of the form that its condition operator compares.
  case valueInvalid(String, expected: String, at: TextPosition)
  /// A principal is of an unknown kind, or `*` under a kind that has no such name.
  case principalInvalid(String, at: TextPosition)
  /// A policy variable is not `${key}`, `${key, 'default'}`, `${*}`, `${?}` or `${$}`.
  case variableMalformed(String, at: TextPosition)
  /// A policy variable is before the fifth colon of an ARN.
  case variableMisplaced(String, at: TextPosition)
  /// A text of the document is too long; both in bytes.
  case textTooLong(size: Int, limit: Int, at: TextPosition)
  /// The document has too many statements.
  case tooManyStatements(limit: Int, at: TextPosition)
  /// The document has too many actions, resources, principals and values of conditions in all.
  case tooManyValues(limit: Int, at: TextPosition)
}

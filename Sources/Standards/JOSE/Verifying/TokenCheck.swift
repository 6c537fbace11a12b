internal import TokenSecurityBase

/// A check beyond the registered claims: the caller's own, or one of another standard.
public struct TokenCheck: Sendable {
  /// The check's name in errors and explanations.
  public let name: String
  /// The section of the standard that it comes from, if any.
  public let reference: String?
  /// The expectation, in a few words.
  public let expected: String
  /// True if it runs right after the types of the claims, before dates, issuer and audience: for a property
  /// without which the other results mean nothing, such as the kind of token.
  public let isCheckedFirst: Bool
  /// True if the check changes something, for example records that a token was used. Such a check runs last,
  /// and only for tokens that passed all others, in explanations too.
  public let hasEffects: Bool

  let check: @Sendable (TokenClaims, JOSEHeader, NumericDate) -> JOSEError?
  let actual: @Sendable (TokenClaims, JOSEHeader) -> String?

  /// A check that refuses with the code `check_failed`.
  ///
  /// - Parameters:
  ///   - name: the check's name in errors and explanations.
  ///   - expected: what it expects, in a few words.
  ///   - hasEffects: true if the check changes something. It then runs last, for tokens that passed all
  ///     others.
  ///   - check: returns nil, or why the token is refused. The signature has been verified; the third argument
  ///     is the time of the verification.
  public init(
    _ name: String, expected: String, hasEffects: Bool = false,
    check: @escaping @Sendable (TokenClaims, JOSEHeader, NumericDate) -> String?
  ) {
    self.name = name
    self.expected = expected
    reference = nil
    isCheckedFirst = false
    self.hasEffects = hasEffects
    self.check = { claims, header, now in
      check(claims, header, now).map { .checkFailed(name: name, message: $0) }
    }
    actual = { _, _ in nil }
  }

  /// A check that refuses with its own codes.
  ///
  /// - Parameters:
  ///   - name: the check's name in explanations.
  ///   - reference: the section of the standard that it comes from.
  ///   - expected: what it expects, in a few words.
  ///   - isCheckedFirst: true to run before dates, issuer and audience. Ignored for a check with effects.
  ///   - hasEffects: true if the check changes something. It then runs last, for tokens that passed all
  ///     others.
  ///   - actual: what the token has, in a few words, bounded and escaped, for explanations.
  ///   - refusal: returns nil, or why the token is refused.
  public init(
    _ name: String, reference: String?, expected: String, isCheckedFirst: Bool = false,
    hasEffects: Bool = false,
    actual: @escaping @Sendable (TokenClaims, JOSEHeader) -> String? = { _, _ in nil },
    refusal: @escaping @Sendable (TokenClaims, JOSEHeader, NumericDate) -> CheckRefusal?
  ) {
    self.name = name
    self.reference = reference
    self.expected = expected
    self.isCheckedFirst = isCheckedFirst && !hasEffects
    self.hasEffects = hasEffects
    self.actual = actual
    check = { claims, header, now in refusal(claims, header, now).map(JOSEError.ruleBroken) }
  }
}

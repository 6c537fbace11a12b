internal import TokenSecurityEncodings

/// A check beyond the registered claims: the caller's own, or one that another standard demands.
public struct TokenCheck: Sendable {
  /// What it is called in errors and explanations.
  public let name: String
  /// The section of the standard that it comes from, where there is one.
  public let reference: String?
  /// What it demands, in a few words.
  public let demand: String
  /// True where it is judged right after the types of the claims, before dates, issuer and audience: for
  /// what makes all other findings beside the point, as a token of another kind does.
  public let isCheckedFirst: Bool
  /// True where the check changes something, for example by remembering that a token was used. Such a check runs last,
  /// and only on tokens that passed all others, also where a token is explained.
  public let hasEffects: Bool

  let judge: @Sendable (TokenClaims, JOSEHeader, NumericDate) -> JOSEError?
  let finding: @Sendable (TokenClaims, JOSEHeader) -> String?

  /// A check that refuses with the code `check_failed`.
  ///
  /// - Parameters:
  ///   - name: what it is called in errors and explanations.
  ///   - demand: what it demands, in a few words.
  ///   - hasEffects: true where the check changes something: it then runs last, on tokens that passed all others.
  ///   - judge: nil where the token is fine, or why it is not. The claims have been verified; the instant is
  ///     the one that the token is judged at.
  public init(
    _ name: String, demand: String, hasEffects: Bool = false,
    judge: @escaping @Sendable (TokenClaims, JOSEHeader, NumericDate) -> String?
  ) {
    self.name = name
    self.demand = demand
    reference = nil
    isCheckedFirst = false
    self.hasEffects = hasEffects
    self.judge = { claims, header, now in
      judge(claims, header, now).map { .checkFailed(name: name, message: $0) }
    }
    finding = { _, _ in nil }
  }

  /// A check that refuses with codes of its own.
  ///
  /// - Parameters:
  ///   - name: what it is called in explanations.
  ///   - reference: the section of the standard that it comes from.
  ///   - demand: what it demands, in a few words.
  ///   - isCheckedFirst: true for what comes before dates, issuer and audience. It has no meaning for a check that has
  ///     effects.
  ///   - hasEffects: true where the check changes something: it then runs last, on tokens that passed all others.
  ///   - finding: what the token has, in a few words, bounded and escaped, for explanations.
  ///   - refusal: nil where the token is fine.
  public init(
    _ name: String, reference: String?, demand: String, isCheckedFirst: Bool = false,
    hasEffects: Bool = false,
    finding: @escaping @Sendable (TokenClaims, JOSEHeader) -> String? = { _, _ in nil },
    refusal: @escaping @Sendable (TokenClaims, JOSEHeader, NumericDate) -> CheckRefusal?
  ) {
    self.name = name
    self.reference = reference
    self.demand = demand
    self.isCheckedFirst = isCheckedFirst && !hasEffects
    self.hasEffects = hasEffects
    self.finding = finding
    judge = { claims, header, now in refusal(claims, header, now).map(JOSEError.ruleBroken) }
  }
}

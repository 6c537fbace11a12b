internal import TokenSecurityEncodings

/// The rules that claims are judged by, in their order. The list that decides is the list that explains.
enum ClaimRule: Sendable, Hashable {
  case types
  case expiration
  case notBefore
  case issuedAt
  case lifetime
  case age
  case authenticationAge
  case issuer
  case audience
  case subject
  /// The claim at this place of the policy's `requiredClaims`.
  case required(Int)
  /// The claim at this place of the policy's `claims`.
  case value(Int)
  /// The check at this place of the policy's `checks`.
  case custom(Int)

  /// All rules of a policy. Those that a policy leaves unchecked are among them, to be explained.
  static func all(of policy: TokenPolicy) -> [ClaimRule] {
    let first = policy.checks.indices.filter { policy.checks[$0].isCheckedFirst }
    let last = policy.checks.indices.filter {
      !policy.checks[$0].isCheckedFirst && !policy.checks[$0].hasEffects
    }
    let effects = policy.checks.indices.filter { policy.checks[$0].hasEffects }
    let dates: [ClaimRule] = [
      .expiration, .notBefore, .issuedAt, .lifetime, .age, .authenticationAge,
    ]
    return [.types] + first.map(ClaimRule.custom) + dates + [.issuer, .audience, .subject]
      + policy.requiredClaims.indices.map(ClaimRule.required)
      + policy.claims.indices.map(ClaimRule.value) + last.map(ClaimRule.custom)
      + effects.map(ClaimRule.custom)
  }
}

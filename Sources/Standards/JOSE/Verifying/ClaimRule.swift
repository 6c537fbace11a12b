/// The rules for claims. ``all(of:)`` gives their order, for verification and explanation.
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
  case binding
  case actors
  /// The claim at this index of the policy's `requiredClaims`.
  case required(Int)
  /// The claim at this index of the policy's `claims`.
  case value(Int)
  /// The check at this index of the policy's `checks`.
  case custom(Int)

  /// All rules of a policy in their order, including those that it leaves unchecked.
  static func all(of policy: TokenPolicy) -> [ClaimRule] {
    func custom(_ isIncluded: (TokenCheck) -> Bool) -> [ClaimRule] {
      policy.checks.indices.filter { isIncluded(policy.checks[$0]) }.map(ClaimRule.custom)
    }
    return [.types] + custom(\.isCheckedFirst)
      + [.expiration, .notBefore, .issuedAt, .lifetime, .age, .authenticationAge]
      + [.issuer, .audience, .subject, .binding, .actors]
      + policy.requiredClaims.indices.map(ClaimRule.required)
      + policy.claims.indices.map(ClaimRule.value)
      + custom { !$0.isCheckedFirst && !$0.hasEffects } + custom(\.hasEffects)
  }
}

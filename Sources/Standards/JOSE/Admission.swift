/// The accepted values of a claim that says who may use a token. A token without the claim is accepted.
public enum Admission: Sendable, Hashable {
  /// A token with the claim is refused.
  case refused
  /// A token with the claim must have these values, and no others.
  case only([String])
  /// Any value is accepted. Explanations show the reason.
  case unchecked(because: String)

  /// The accepted values.
  var values: [String] { if case .only(let values) = self { values } else { [] } }
  /// The reason of `unchecked`.
  var reason: String? { if case .unchecked(let reason) = self { reason } else { nil } }
}

/// A kind of step, for reports.
@nonexhaustive public enum SignInStepKind: Sendable, Hashable, CaseIterable {
  /// The beginning of a flow without a password.
  case beginning
  /// The password.
  case password
  /// A code.
  case code
  /// The choice of a second factor.
  case factorChoice
  /// The set-up of a second factor.
  case factorSetUp
  /// A new password.
  case newPassword
  /// A challenge of the pool's triggers.
  case custom
  /// The choice of a first factor.
  case firstFactorChoice
  /// The tokens at the end, for whose verification keys are fetched.
  case tokens
  /// The new device, which the user lets the pool remember.
  case device
}

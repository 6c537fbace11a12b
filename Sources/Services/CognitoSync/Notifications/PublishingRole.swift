/// A role, and the pool whose changes are published with it.
struct PublishingRole: Sendable {
  /// The role's ARN.
  let arn: String
  /// The pool's id.
  let poolID: String
}

internal import TokenSecurityBase

/// A call that policies do not allow.
///
/// The response has the caller, the action and the resource alone. The rest is for the service's log.
public struct PolicyRefusal: Sendable, Hashable {
  /// The ARN of the caller's session.
  public let caller: String
  /// The action: `cognito-sync:UpdateRecords` for instance.
  public let action: String
  /// The resource: an ARN, or `*`.
  public let resource: String
  /// The stable code of the reason: `access_denied_by_statement` for instance.
  public let reason: String
  /// The statement that denies the call, or the statements that do not apply to it, with the elements that differ.
  public let explanation: String

  /// What AWS answers.
  var sentence: String {
    "User: \(caller) is not authorized to perform: \(action) on resource: \(resource.visible(upTo: 512))"
  }
}

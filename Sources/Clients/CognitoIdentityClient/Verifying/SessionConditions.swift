package import AccessPolicies

// Condition keys of a request that are not in the program's text.
extension SessionRequest {
  /// Decides by the session's policies whether it may do something.
  ///
  /// - Throws: `policyUnreadable`.
  package func decide(
    _ action: String, on resource: String, with more: some Sequence<(key: String, value: [String])>
  ) throws(SessionRequestError) -> AccessDecision {
    if let name = policies.unreadable { throw .policyUnreadable(name: name) }
    return policies.set.decide(asked(action, resource, more))
  }

  /// Checks by the session's policies that it may do something.
  ///
  /// - Parameters:
  ///   - action: `orders:Read`.
  ///   - resource: the resource's ARN, or `*`.
  ///   - more: condition keys of the request. Those of the session come first.
  /// - Throws: `denied` with the explanation, `policyUnreadable`.
  package func check(
    _ action: String, on resource: String, with more: some Sequence<(key: String, value: [String])>
  ) throws(SessionRequestError) {
    guard try !decide(action, on: resource, with: more).isAllowed else { return }
    throw .denied(try explain(action, on: resource, with: more))
  }

  /// Explains what the session's policies say of something.
  ///
  /// - Throws: `policyUnreadable`.
  package func explain(
    _ action: String, on resource: String, with more: some Sequence<(key: String, value: [String])>
  ) throws(SessionRequestError) -> AccessExplanation {
    if let name = policies.unreadable { throw .policyUnreadable(name: name) }
    return policies.set.explain(asked(action, resource, more))
  }
}

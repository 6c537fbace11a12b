package import AccessPolicies

// Condition keys of a request that are not in the program's text.
extension SessionRequest {
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
    if let name = policies.unreadable { throw .policyUnreadable(name: name) }
    let request = asked(action, resource, more)
    guard !policies.set.decide(request).isAllowed else { return }
    throw .denied(policies.set.explain(request))
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

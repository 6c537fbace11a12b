internal import TokenLifetime
internal import TokenSecurityBase

/// Attributes that administrators change.
extension Users {
  /// Changes a user's attributes (`AdminUpdateUserAttributes`).
  ///
  /// A new address is not verified, unless the call says so: it gets a code where the pool verifies such addresses,
  /// and waits for it where the pool changes addresses only then.
  ///
  /// - Parameters:
  ///   - given: the attributes. An empty value removes the attribute.
  ///   - name: the user name, an alias or the `sub`.
  ///   - poolID: the pool's id.
  ///   - clientMetadata: for hooks.
  ///   - context: the call.
  /// - Throws: `poolUnknown`, `userUnknown`, the errors of ``AttributeRules``, `aliasExists`, the errors of hooks and
  ///   messages, `storeFailed`.
  package nonisolated(nonsending) func updateAttributes(
    _ given: AttributeRules.Given, of name: String, in poolID: String,
    clientMetadata: [ExactString: String] = [:], _ context: CallContext
  ) async throws(UserPoolError) {
    let (pool, found) = try await existingUser(name, in: poolID, context)
    let change = AttributeChange(given: given, pool: pool, client: nil)
    try await attributes.apply(
      change, change.applied(to: found), clientMetadata: clientMetadata, at: context.time)
  }

  /// Removes attributes of a user (`AdminDeleteUserAttributes`).
  ///
  /// - Parameters:
  ///   - names: the attributes' names.
  ///   - name: the user name, an alias or the `sub`.
  ///   - poolID: the pool's id.
  ///   - context: the call.
  /// - Throws: `poolUnknown`, `userUnknown`, the errors of ``AttributeRules``, `storeFailed`.
  package nonisolated(nonsending) func removeAttributes(
    _ names: [String], of name: String, in poolID: String, _ context: CallContext
  ) async throws(UserPoolError) {
    let (pool, found) = try await existingUser(name, in: poolID, context)
    try await attributes.removeAttributes(names, ofUser: found.sub, in: pool, by: nil, at: context.time)
  }
}

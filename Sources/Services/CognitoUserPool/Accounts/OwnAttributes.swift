internal import TokenSecurityBase

extension OwnAccounts {
  /// The attributes that a client reads of its user, `sub` first and the others by name (`GetUser`).
  ///
  /// - Parameters:
  ///   - user: the user.
  ///   - pool: the user's pool.
  ///   - client: the client; nil for an administrator.
  /// - Returns: names and values.
  package static func shownAttributes(
    of user: User, in pool: UserPool, to client: UserPoolClient?
  ) -> [(name: String, value: String)] {
    let readable = AttributeRules(pool).readable(user.attributes, by: client)
    return [(name: "sub", value: user.sub)]
      + readable.sorted { $0.key < $1.key }.map { (name: $0.key.text, value: $0.value) }
  }

  /// Changes attributes of the user (`UpdateUserAttributes`).
  ///
  /// - Parameters:
  ///   - given: the attributes. An empty value removes one.
  ///   - accessToken: the user's access token.
  ///   - metadata: `ClientMetadata`, for hooks.
  ///   - context: the call.
  /// - Returns: where codes were sent.
  /// - Throws: `attributesRefused`, `addressMalformed`, `attributeNotWritable`, `aliasExists`,
  ///   `requestLimitExceeded` and others.
  package nonisolated(nonsending) func updateAttributes(
    _ given: AttributeRules.Given, accessToken: String, metadata: [ExactString: String],
    _ context: CallContext
  ) async throws(UserPoolError) -> [Destination] {
    let caller = try await callers.tokenCaller(accessToken, context: context)
    let change = AttributeChange(given: given, pool: caller.pool, client: caller.client)
    let planned = try change.applied(to: caller.user)
    let destinations = planned.destinations
    if !destinations.isEmpty { try await count(.changedAddress, of: caller.user, context) }
    try await attributes.apply(change, planned, clientMetadata: metadata, at: context.time)
    return destinations
  }

  /// Removes attributes of the user (`DeleteUserAttributes`).
  ///
  /// - Parameters:
  ///   - names: the attributes' names.
  ///   - accessToken: the user's access token.
  ///   - context: the call.
  /// - Throws: `attributesRefused`, `attributeNotWritable` and others.
  package nonisolated(nonsending) func deleteAttributes(
    _ names: [String], accessToken: String, _ context: CallContext
  ) async throws(UserPoolError) {
    let caller = try await callers.tokenCaller(accessToken, context: context)
    try await attributes.removeAttributes(
      names, ofUser: caller.user.sub, in: caller.pool, by: caller.client, at: context.time)
  }
}

internal import Records
internal import TokenSecurityEncodings

extension UserPoolService {
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
  ///   `attemptLimitExceeded` and others.
  package nonisolated(nonsending) func updateAttributes(
    _ given: AttributeRules.Given, accessToken: String, metadata: [ExactString: String],
    _ context: CallContext
  ) async throws(UserPoolError) -> [Destination] {
    let caller = try await tokenCaller(accessToken, context: context)
    let (pool, sub) = (caller.pool, caller.user.sub)
    let client = caller.client
    let rules = AttributeRules(pool)
    let planned = try ChangedUser(
      rules.checkedUpdate(given, of: caller.user, client: client), of: caller.user, in: pool)
    let destinations = planned.destinations
    if !destinations.isEmpty { try await count(.changedAddress, of: caller.user, context) }
    let hookUser = HookUser(planned.user, in: pool, clientID: client.id, clientMetadata: metadata)
    var texts: [MessageText] = []
    for destination in destinations {
      texts.append(try await text(.updateUserAttribute, by: destination.medium, to: hookUser))
    }
    let (messages, secrets) = (texts, secrets)
    try await store.write(at: context.time) { rows throws(UserPoolError) in
      guard let before = try rows.user(sub: sub, in: pool) else { throw .userUnknown }
      var changed = try ChangedUser(
        rules.checkedUpdate(given, of: before, client: client), of: before, in: pool)
      guard changed.destinations == destinations else { throw .changedMeanwhile }
      changed.user.modified = context.time.wholeSecond
      try rows.apply(changed, before: before, in: pool)
      for (destination, text) in zip(destinations, messages) {
        let code = try rows.issueCode(
          .attribute(destination.attribute), for: changed.user, destination: destination,
          secrets: secrets)
        try rows.enqueue(
          text, code: code, to: destination, of: changed.user, for: .attribute(destination.attribute),
          secrets: secrets)
      }
    }
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
    let caller = try await tokenCaller(accessToken, context: context)
    let (pool, client, sub) = (caller.pool, caller.client, caller.user.sub)
    try await store.write(at: context.time) { rows throws(UserPoolError) in
      guard let before = try rows.user(sub: sub, in: pool) else { throw .userUnknown }
      let update = try AttributeRules(pool).checkedRemoval(names, of: before, client: client)
      var changed = ChangedUser(update, of: before, in: pool)
      changed.user.modified = context.time.wholeSecond
      try rows.apply(changed, before: before, in: pool)
    }
  }
}

extension WriteTransaction<UserPoolError> {
  /// Stores a user whose attributes changed. Codes for earlier addresses are void.
  ///
  /// - Parameters:
  ///   - changed: the changes.
  ///   - before: the user as it was read in this transaction.
  ///   - pool: the pool.
  /// - Throws: `aliasExists`, also where a new address that is not verified yet is another user's.
  package func apply(
    _ changed: ChangedUser, before: User, in pool: UserPool
  ) throws(UserPoolError) {
    let verified = changed.userOnceVerified
    if let other = try otherOwner(of: verified.aliases(in: pool), than: verified, in: pool) {
      throw .aliasExists(attribute: other.alias.attribute)
    }
    for attribute in VerifiedAttribute.allCases where changed.replaced.contains(attribute) {
      try removeCode(.attribute(attribute), of: before)
    }
    try store(changed.user, replacing: before, in: pool)
  }
}

internal import Records
internal import TokenLifetime
internal import TokenSecurityEncodings

/// Attributes that administrators change.
extension UserPoolService {
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
  ///   - now: the time of the call. Default: now.
  /// - Throws: `poolUnknown`, `userUnknown`, the errors of ``AttributeRules``, `aliasExists`, the errors of hooks and
  ///   messages, `storeFailed`.
  package nonisolated(nonsending) func updateAttributes(
    _ given: AttributeRules.Given, of name: String, in poolID: String,
    clientMetadata: [ExactString: String] = [:], at now: Timestamp = .now
  ) async throws(UserPoolError) {
    let (pool, found) = try await existingUser(name, in: poolID, at: now)
    let rules = AttributeRules(pool)
    let planned = try ChangedUser(
      rules.checkedUpdate(given, of: found, client: nil), of: found, in: pool)
    let shown = HookUser(planned.user, in: pool, clientID: nil, clientMetadata: clientMetadata)
    var texts: [MessageText] = []
    for destination in planned.destinations {
      texts.append(try await text(.updateUserAttribute, by: destination.medium, to: shown))
    }
    let (destinations, messages, secrets) = (planned.destinations, texts, secrets)
    try await store.write(at: now) { rows throws(UserPoolError) in
      guard let before = try rows.user(sub: found.sub, in: pool) else { throw .userUnknown }
      var changed = try ChangedUser(
        rules.checkedUpdate(given, of: before, client: nil), of: before, in: pool)
      // The user has changed since, and other addresses are new now.
      guard changed.destinations == destinations else { throw .changedMeanwhile }
      changed.user.modified = now.wholeSecond
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
  }

  /// Removes attributes of a user (`AdminDeleteUserAttributes`).
  ///
  /// - Parameters:
  ///   - names: the attributes' names.
  ///   - name: the user name, an alias or the `sub`.
  ///   - poolID: the pool's id.
  ///   - now: the time of the call. Default: now.
  /// - Throws: `poolUnknown`, `userUnknown`, the errors of ``AttributeRules``, `storeFailed`.
  package nonisolated(nonsending) func removeAttributes(
    _ names: [String], of name: String, in poolID: String, at now: Timestamp = .now
  ) async throws(UserPoolError) {
    let (pool, found) = try await existingUser(name, in: poolID, at: now)
    let rules = AttributeRules(pool)
    try await store.write(at: now) { rows throws(UserPoolError) in
      guard let before = try rows.user(sub: found.sub, in: pool) else { throw .userUnknown }
      var changed = ChangedUser(
        try rules.checkedRemoval(names, of: before, client: nil), of: before, in: pool)
      changed.user.modified = now.wholeSecond
      try rows.apply(changed, before: before, in: pool)
    }
  }
}

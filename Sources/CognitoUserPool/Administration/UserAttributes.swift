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
  package func updateAttributes(
    _ given: AttributeRules.Given, of name: String, in poolID: String,
    clientMetadata: [ExactString: String] = [:], at now: Timestamp = .now
  ) async throws(UserPoolError) {
    let (pool, found) = try await existingUser(name, in: poolID)
    let rules = AttributeRules(pool)
    let update = try rules.checkedUpdate(given, of: found, client: nil)
    var texts: [ExactString: MessageText] = [:]
    for destination in update.unverified(of: found, in: pool) {
      let shown = HookUser(found, in: pool, clientID: nil, clientMetadata: clientMetadata)
      texts[destination.attribute.rawValue] = try await text(
        .updateUserAttribute, by: destination.medium, to: shown)
    }
    let (known, secrets) = (texts, secrets)
    try await change(found, in: pool, at: now) { rows, user throws(UserPoolError) in
      let update = try rules.checkedUpdate(given, of: user, client: nil)
      let unverified = update.unverified(of: user, in: pool)
      try rows.apply(update, to: &user, unverified, in: pool)
      for destination in unverified {
        // The user has changed since, and the address is new only now.
        guard let text = known[destination.attribute.rawValue] else { throw .changedMeanwhile }
        let code = try rows.issueCode(
          .attribute(destination.attribute), for: user, destination: destination, secrets: secrets)
        try rows.enqueue(text, code: code, to: destination, of: user, secrets: secrets)
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
  package func removeAttributes(
    _ names: [String], of name: String, in poolID: String, at now: Timestamp = .now
  ) async throws(UserPoolError) {
    let (pool, found) = try await existingUser(name, in: poolID)
    let rules = AttributeRules(pool)
    try await change(found, in: pool, at: now) { rows, user throws(UserPoolError) in
      let update = try rules.checkedRemoval(names, of: user, client: nil)
      try rows.apply(update, to: &user, [], in: pool)
    }
  }
}

extension AttributeUpdate {
  /// The new addresses that need a code.
  fileprivate func unverified(of user: User, in pool: UserPool) -> [Destination] {
    VerifiedAttribute.allCases.compactMap { address in
      guard let value = set[address.rawValue], value != user.attribute(address.name),
        set[ExactString(address.flag)] != "true",
        pool.autoVerified.contains(address) || pool.verifiedBeforeUpdate.contains(address)
      else { return nil }
      return Destination(address, value)
    }
  }
}

extension WriteTransaction<UserPoolError> {
  /// Changes attributes. An address that changes makes its earlier code useless.
  fileprivate func apply(
    _ update: AttributeUpdate, to user: inout User, _ unverified: [Destination], in pool: UserPool
  ) throws(UserPoolError) {
    var update = update
    for address in VerifiedAttribute.allCases {
      let key = address.rawValue
      guard update.set[key] != nil || update.removed.contains(key) else { continue }
      user.pending[key] = nil
      try removeCode(.attribute(address), of: user)
      guard pool.verifiedBeforeUpdate.contains(address),
        let new = unverified.first(where: { $0.attribute == address })
      else { continue }
      user.pending[key] = new.address
      update.set[key] = nil
      update.set[ExactString(address.flag)] = nil
    }
    user.attributes = update.applied(to: user.attributes)
  }
}

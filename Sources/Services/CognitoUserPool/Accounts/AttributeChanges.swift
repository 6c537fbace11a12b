internal import Records
internal import TokenLifetime
internal import TokenSecurityBase

/// A change of a user's attributes, by the user or by an administrator.
struct AttributeChange: Sendable {
  let given: AttributeRules.Given
  let pool: UserPool
  /// The user's client; nil for an administrator.
  let client: UserPoolClient?

  /// The change, checked for a user.
  ///
  /// - Throws: the errors of ``AttributeRules``.
  func applied(to user: User) throws(UserPoolError) -> ChangedUser {
    try ChangedUser(
      AttributeRules(pool).checkedUpdate(given, of: user, client: client), of: user, in: pool)
  }
}

/// Changes attributes of users, and sends codes to new addresses.
struct AttributeChanges: Sendable {
  let store: any RecordStore
  let secrets: UserPoolSecrets
  let messages: UserMessages

  /// Changes attributes of a user, and sends codes to new addresses.
  ///
  /// - Parameters:
  ///   - change: the change.
  ///   - planned: the change, applied to the user as it was read.
  ///   - clientMetadata: for hooks.
  ///   - now: the time, read once the functions have been called.
  /// - Throws: `requestLimitExceeded`; `changedMeanwhile` where other addresses are new by now, `userUnknown`, `aliasExists`, the errors of
  ///   ``AttributeRules``, hooks and messages, `storeFailed`.
  nonisolated(nonsending) func apply(
    _ change: AttributeChange, _ planned: ChangedUser, clientMetadata: [ExactString: String],
    at now: @autoclosure () -> Timestamp
  ) async throws(UserPoolError) {
    let (pool, sub, destinations) = (change.pool, planned.user.sub, planned.destinations)
    let hookUser = HookUser(
      planned.user, in: pool, clientID: change.client?.id, clientMetadata: clientMetadata)
    var texts: [MessageText] = []
    for destination in destinations {
      do throws(UserPoolError) {
        texts.append(
          try await messages.text(
            .updateUserAttribute, by: destination.medium, to: hookUser,
            lifetime: CodePurpose.attribute(destination.attribute).lifetime))
      } catch {
        throw change.client == nil ? error.declaringNoDelivery : error
      }
    }
    let (written, secrets) = (texts, secrets)
    try await store.write(at: now()) { rows throws(UserPoolError) in
      let before = try rows.existingUser(sub: sub, in: pool)
      let changed = try change.applied(to: before)
      guard changed.destinations == destinations else { throw .changedMeanwhile }
      try rows.apply(changed, before: before, in: pool)
      for (destination, text) in zip(destinations, written) {
        try UserPoolError.declaringRequests { () throws(UserPoolError) in
          try rows.sendCode(
            .attribute(destination.attribute), text, to: destination, of: changed.user, secrets: secrets)
        }
      }
    }
  }

  /// Removes attributes of a user.
  ///
  /// - Parameters:
  ///   - names: the attributes' names.
  ///   - sub: the user's `sub`.
  ///   - pool: the user's pool.
  ///   - client: the user's client; nil for an administrator.
  ///   - now: the time of the call.
  /// - Throws: `userUnknown`, the errors of ``AttributeRules``, `storeFailed`.
  nonisolated(nonsending) func removeAttributes(
    _ names: [String], ofUser sub: String, in pool: UserPool, by client: UserPoolClient?,
    at now: Timestamp
  ) async throws(UserPoolError) {
    try await store.write(at: now) { rows throws(UserPoolError) in
      let before = try rows.existingUser(sub: sub, in: pool)
      let update = try AttributeRules(pool).checkedRemoval(names, of: before, client: client)
      try rows.apply(ChangedUser(update, of: before, in: pool), before: before, in: pool)
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
  fileprivate func apply(
    _ changed: ChangedUser, before: User, in pool: UserPool
  ) throws(UserPoolError) {
    let verified = changed.userOnceVerified
    if let other = try otherOwner(of: verified.aliases(in: pool), than: verified, in: pool) {
      throw .aliasExists(attribute: other.alias.attribute)
    }
    for attribute in VerifiedAttribute.allCases where changed.replaced.contains(attribute) {
      try removeCode(.attribute(attribute), of: before)
    }
    var user = changed.user
    user.modified = now.wholeSecond
    try store(user, replacing: before, in: pool)
  }
}

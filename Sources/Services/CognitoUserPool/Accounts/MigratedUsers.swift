internal import Records
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Users that UserMigration brings from another directory.
struct MigratedUsers: Sendable {
  let store: any RecordStore
  let passwords: PasswordChecks

  /// Adds a user that the hook found.
  ///
  /// - Parameters:
  ///   - found: the hook's response.
  ///   - typed: the name or address that was typed.
  ///   - password: the password, for a user who need not reset it; nil in ForgotPassword.
  ///   - pool: the pool.
  ///   - context: the call.
  /// - Returns: the user; the one that another call has added meanwhile.
  /// - Throws: `poolUnknown`, `attributesRefused`, `userNameRefused`, `aliasExists` and others.
  nonisolated(nonsending) func add(
    _ found: MigratedUser, named typed: String, password: RetainedSecret?, in pool: UserPool,
    _ context: CallContext
  ) async throws(UserPoolError) -> User {
    // Aliases come from the attributes.
    let given = found.attributes.keys.sorted().compactMap { key in
      key == "sub" || key == "username" ? nil : found.attributes[key].map { (name: key.text, value: $0) }
    }
    let name = try UserNameRules(pool).checkedNew(found.userName(typed: typed, in: pool))
    let attributes = try AttributeRules(pool).checkedNew(
      given, byAdministrator: true, client: nil, address: name.address)
    var user = try User(name, attributes: attributes, in: pool, at: context.time)
    user.status = found.status ?? .resetRequired
    user.smsFactor = found.enablesSMSFactor
    if let password, user.status != .resetRequired {
      user.password = try await passwords.verifier(
        of: password.bytes, for: user, in: pool, from: context.client)
    }
    let added = user
    return try await store.write(at: context.time) { rows throws(UserPoolError) in
      if let other = try rows.user(typed: typed, in: pool) { return other }
      try rows.add(added, to: pool, forcing: found.forcesAliasCreation)
      return added
    }
  }
}

extension MigratedUser {
  /// The user name: that of the attributes where an address was typed.
  fileprivate func userName(typed: String, in pool: UserPool) -> String {
    pool.usernameAttributes.isEmpty ? attributes["username"] ?? typed : typed
  }
}

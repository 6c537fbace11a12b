internal import Records
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The replacement of the master key in the tables of user pools.
extension WriteTransaction<UserPoolError> {
  /// Opens all stored secrets and seals them with the keys of another master key.
  ///
  /// Lasting data is sealed anew: verifiers of passwords and devices, software tokens, secrets of clients, signing
  /// keys, messages that wait, and the secrets of simulated users. Data with a keyed digest cannot be converted and is
  /// removed: codes, counted attempts and sign-ins. Sessions are refused from then on. So users sign in again, and
  /// request codes again. Used steps of software tokens stay used: their names do not depend on the master key.
  ///
  /// - Parameters:
  ///   - old: the keys of the present master key.
  ///   - new: the keys of the new master key.
  /// - Returns: the number of secrets.
  /// - Throws: `storeFailed` for a secret that does not open and for rows that cannot be read: the transaction
  ///   must not be committed; `cryptoFailed`.
  package func resealUserPools(
    from old: UserPoolSecrets, to new: UserPoolSecrets
  ) throws(UserPoolError) -> Int {
    let seals = SealReplacement(old: old, new: new)
    var count = 0
    try rewrite(UserPoolTables.pools) { pool throws(UserPoolError) in
      let name = UserPool.simulationSealName(pool.id)
      guard let sealed = pool.sealedSimulation else {
        // The secret that the old master key gave stays.
        pool.sealedSimulation = try new.seal(old.simulation, for: .simulation, name: name)
        return
      }
      pool.sealedSimulation = try seals.replace(sealed, .simulation, name, &count)
    }
    try rewrite(UserPoolTables.clients) { row throws(UserPoolError) in
      guard let sealed = row.sealedSecret else { return }
      let name = UserPoolClient.secretSealName(pool: row.poolID, id: row.id)
      row.sealedSecret = try seals.replace(sealed, .clientSecret, name, &count)
    }
    try rewrite(UserPoolTables.users) { row throws(UserPoolError) in
      let before = row
      // It says which secret does not open.
      try seals.replace(in: &row, &count)
      try renameUsedSteps(of: before, old)
    }
    try rewrite(UserPoolTables.devices) { row throws(UserPoolError) in
      guard let sealed = row.sealed else { return }
      let name = UserDevice.sealName(row.poolID, row.sub, row.key)
      row.sealed = try seals.replace(sealed, .verifier, name, &count)
    }
    try rewrite(UserPoolTables.signingKeys) { row throws(UserPoolError) in
      row.key.sealed = try seals.replace(row.key.sealed, .signingKey, row.sealName, &count)
    }
    try rewrite(UserPoolTables.outbox) { row throws(UserPoolError) in
      row.sealed = try seals.replace(row.sealed, .message, row.sealName, &count)
    }
    try delete(.all, from: UserPoolTables.codes)
    try delete(.all, from: UserPoolTables.attempts)
    try delete(.all, from: UserPoolTables.signIns)
    try delete(.all, from: UserPoolTables.pendingSignIns)
    return count
  }

  /// Changes all rows of a table, page by page.
  ///
  /// - Throws: `storeFailed` where a row cannot be read: its secret would be lost.
  private func rewrite<Row>(
    _ table: Table<Row>, _ change: (inout Row) throws(UserPoolError) -> Void
  ) throws(UserPoolError) {
    var read = 0
    var last: RecordKey?
    while true {
      let page = try scan(table, KeyRange.all.after(last), limit: 500)
      for row in page {
        var row = row
        last = table.key(row)
        try change(&row)
        try put(row, in: table)
      }
      read += page.count
      guard page.count == 500 else { break }
    }
    let stored = try count(table, limit: .max)
    guard read == stored else {
      throw .storeFailed("\(stored - read) rows of the table \(table.name) cannot be read")
    }
  }
}

/// Opens secrets with one master key and seals them with another one.
private struct SealReplacement {
  let old: UserPoolSecrets
  let new: UserPoolSecrets

  func replace(
    _ sealed: [UInt8], _ purpose: UserPoolSecrets.Purpose, _ name: String, _ count: inout Int
  ) throws(UserPoolError) -> [UInt8] {
    guard let secret = try old.open(sealed.span, for: purpose, name: name) else {
      throw .storeFailed(
        "a secret of \(name.quoted) does not open: another master key sealed it; put that master key back")
    }
    count += 1
    return try new.seal(secret, for: purpose, name: name)
  }

  func replace(in user: inout User, _ count: inout Int) throws(UserPoolError) {
    let name = StoredPassword.sealName(pool: user.poolID, sub: user.sub)
    if let sealed = user.password?.sealed {
      user.password?.sealed = try replace(sealed, .verifier, name, &count)
    }
    for index in user.earlierPasswords.indices {
      user.earlierPasswords[index].sealed = try replace(
        user.earlierPasswords[index].sealed, .verifier, name, &count)
    }
    let tokenName = SoftwareToken.sealName(user)
    if let sealed = user.softwareToken {
      user.softwareToken = try replace(sealed, .softwareToken, tokenName, &count)
    }
    if let sealed = user.pendingSoftwareToken {
      user.pendingSoftwareToken = try replace(sealed, .softwareToken, tokenName, &count)
    }
  }
}

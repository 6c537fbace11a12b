internal import Records
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

// Codes of users who do not exist, so that they look like users who do.

extension WriteTransaction<UserPoolError> {
  /// Stores a code that nothing matches, instead of one that is sent.
  ///
  /// - Parameters:
  ///   - purpose: what the code would be for.
  ///   - user: a user of ``UserPoolSecrets/simulatedUser(named:in:)``, or one without an address for messages.
  ///   - lifetime: how long the code would be valid.
  ///   - keepsSent: true where a code that was sent to the user stays: a message that is not sent, for which a stranger
  ///     asked, must not take it away. Default: it is replaced.
  /// - Throws: `storeFailed`, `cryptoFailed`.
  package func issueSimulatedCode(
    _ purpose: CodePurpose, for user: User, lifetime: Duration, keepsSent: Bool = false
  ) throws(UserPoolError) {
    var row = try StoredCode.unmatched(purpose, of: user, until: (now + lifetime).wholeSecond)
    // Read in any case: users who do not exist take the same work.
    let known = try get(UserPoolTables.codes, RecordKey(user.poolID, user.sub, purpose.name))
    if keepsSent, let known, !known.attribute.isEmpty { row.purpose += StoredCode.absent }
    try put(row, in: UserPoolTables.codes)
  }
}

extension StoredCode {
  /// The suffix of the purpose of a row that is not looked up, and so replaces no code.
  static let absent = "/absent"

  /// A row that no code matches.
  static func unmatched(
    _ purpose: CodePurpose, of user: User, until end: Timestamp
  ) throws(UserPoolError) -> StoredCode {
    var row = StoredCode()
    row.poolID = user.poolID
    row.sub = user.sub
    row.purpose = purpose.name
    row.end = end
    row.digest = try UserPoolError.crypto { () throws(CryptoError) in try Random.publicBytes(count: 32) }
    return row
  }
}

extension UserPoolSecrets {
  /// The user name of a user who does not exist: that which was typed, or an id where users sign in with something
  /// other than their names. The id, typed in its turn, is itself, as the names of users are.
  ///
  /// - Parameters:
  ///   - name: the canonical name that was typed.
  ///   - pool: the pool.
  /// - Returns: the user name.
  /// - Throws: `cryptoFailed`.
  func simulatedUserName(of name: String, in pool: UserPool) throws(UserPoolError) -> String {
    let digest = try simulated("name", name, in: pool)
    let isAddress = VerifiedAttribute.allCases.contains { pool.isAddressOfUser($0, name) }
    guard isAddress || !pool.usernameAttributes.isEmpty, !UUIDText.isUUID(name) else { return name }
    return UUIDText.version4(Array(digest.suffix(16)))
  }

  /// A user for a name that no user has, with the same `sub` each time, also for the user name that was shown.
  ///
  /// - Parameters:
  ///   - name: the canonical name.
  ///   - pool: the pool.
  /// - Returns: a user that is in no store.
  /// - Throws: `cryptoFailed`.
  package func simulatedUser(named name: String, in pool: UserPool) throws(UserPoolError) -> User {
    var user = User()
    user.poolID = pool.id
    user.name = try simulatedUserName(of: name, in: pool)
    user.canonicalName = user.name
    user.sub = UUIDText.version4(Array(try simulated("sub", user.name, in: pool).prefix(16)))
    return user
  }

  /// Where a code for such a user would be sent, the same each time.
  ///
  /// - Parameters:
  ///   - attribute: what the code would be sent to.
  ///   - name: the canonical name. A typed address is that of the user, as it is stored for existing ones.
  ///   - pool: the pool.
  /// - Returns: the destination, which is only shown, and masked.
  /// - Throws: `cryptoFailed`.
  package func simulatedDestination(
    _ attribute: VerifiedAttribute, named name: String, in pool: UserPool
  ) throws(UserPoolError) -> Destination {
    if attribute.isForm(of: name) { return Destination(attribute, name) }
    let random = try simulated("destination", attribute.name, name, in: pool)
    switch attribute {
    case .email:
      let letters = random.prefix(2).map { String(decoding: [UInt8(ascii: "a") + $0 % 26], as: UTF8.self) }
      return Destination(attribute, letters.joined(separator: "@"))
    // A number of the usual length.
    case .phoneNumber:
      return Destination(attribute, "+1" + random.prefix(10).map { String($0 % 10) }.joined())
    }
  }
}

extension UserPool {
  /// The address to which a code for a user who does not exist would be sent, by the rules for existing users.
  ///
  /// - Parameters:
  ///   - purpose: what the code would be for.
  ///   - name: the canonical name.
  /// - Returns: the first address that such a user has for certain; else the first that is likely.
  package func simulatedAttribute(_ purpose: CodePurpose, named name: String) -> VerifiedAttribute {
    let order: [VerifiedAttribute]
    if purpose == .forgottenPassword {
      if let chosen = chosenRecovery(named: name) { return chosen }
      let all = simulatedRecovery
      let verified = all.filter {
        autoVerified.contains($0) || isAddressOfUser($0, name) || isAddressOfAll($0)
      }
      order = verified.isEmpty ? all : verified
    } else {
      order = [.phoneNumber, .email].filter { autoVerified.contains($0) }
    }
    let certain = order.first { isAddressOfUser($0, name) || isAddressOfAll($0) || isRequired($0) }
    return certain ?? order.first ?? (VerifiedAttribute.phoneNumber.isForm(of: name) ? .phoneNumber : .email)
  }

  /// The first address for a new password that such a user has, in a pool that says which medium its users have.
  private func chosenRecovery(named name: String) -> VerifiedAttribute? {
    guard let medium = unknownUsersMedium else { return nil }
    let ways = recoveryWays
    guard ways.contains(where: { $0.medium == medium }) else { return nil }
    return ways.first { $0.medium == medium || isAddressOfUser($0, name) || isAddressOfAll($0) }
  }

  /// The addresses that serve for a new password, in their order.
  private var recoveryWays: [VerifiedAttribute] {
    guard let recovery else { return [.phoneNumber, .email] }
    return recovery.compactMap { option in
      switch option {
      case .verifiedEmail: .email
      case .verifiedPhone: .phoneNumber
      case .administratorOnly: nil
      }
    }
  }

  /// The addresses that serve for a new password, in their order. In a pool that requires a second factor, what
  /// the pool offers as one is the factor of most users.
  private var simulatedRecovery: [VerifiedAttribute] {
    guard recovery != nil else { return recoveryWays }
    let all = recoveryWays
    let free = all.filter { mfa != .on || !offers($0 == .email ? .email : .sms) }
    return free.isEmpty ? all : free
  }

  /// True for a typed address with which users sign in: they have it.
  func isAddressOfUser(_ attribute: VerifiedAttribute, _ name: String) -> Bool {
    UserNaming.aliases(of: self).contains { $0 == attribute.name } && attribute.isForm(of: name)
  }

  /// True where all users sign in with such an address, also where a call has the user name instead of it.
  func isAddressOfAll(_ attribute: VerifiedAttribute) -> Bool {
    usernameAttributes.count == 1 && usernameAttributes[0].name == attribute.name
  }

  private func isRequired(_ attribute: VerifiedAttribute) -> Bool {
    self.attribute(attribute.name)?.isRequired ?? false
  }
}

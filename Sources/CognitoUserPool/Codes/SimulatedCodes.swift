internal import Records
internal import TokenLifetime
internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

// Codes of users who do not exist, so that they look like users who do.

extension WriteTransaction<UserPoolError> {
  /// Stores a code that nothing matches, in place of one that is sent.
  ///
  /// - Parameters:
  ///   - purpose: what the code would be for.
  ///   - user: a user of ``UserPoolSecrets/simulatedUser(named:in:)``, or one to whom no message can be sent.
  ///   - lifetime: how long the code would be valid. Default: that of the purpose.
  /// - Throws: `storeFailed`, `cryptoFailed`.
  package func issueSimulatedCode(
    _ purpose: CodePurpose, for user: User, lifetime: Duration? = nil
  ) throws(UserPoolError) {
    var row = StoredCode()
    row.poolID = user.poolID
    row.sub = user.sub
    row.purpose = purpose.name
    row.end = (now + (lifetime ?? purpose.lifetime)).wholeSecond
    row.digest = try UserPoolError.crypto { () throws(CryptoError) in try Random.publicBytes(count: 32) }
    try put(row, in: UserPoolTables.codes)
  }
}

extension UserPoolSecrets {
  /// A user for a name that no user has, with the same `sub` each time.
  ///
  /// - Parameters:
  ///   - name: the canonical name.
  ///   - pool: the pool.
  /// - Returns: a user that is in no store.
  /// - Throws: `cryptoFailed`.
  package func simulatedUser(named name: String, in pool: UserPool) throws(UserPoolError) -> User {
    var user = User()
    user.poolID = pool.id
    user.name = name
    user.canonicalName = name
    user.sub = UUIDText.version4(Array(try simulated("sub", name, in: pool).prefix(16)))
    return user
  }

  /// Where a code for such a user would be sent: masked like an address.
  ///
  /// - Parameters:
  ///   - name: the name as it was typed. An address is masked itself.
  ///   - pool: the pool.
  /// - Returns: the destination, which is only shown.
  /// - Throws: `cryptoFailed`.
  package func simulatedDestination(
    named name: String, in pool: UserPool
  ) throws(UserPoolError) -> Destination {
    // An existing user's address is shown as it is stored, however it was typed.
    let canonical = UserNaming(pool).canonical(name)
    if AddressForms.isEmail(canonical) { return Destination(.email, canonical) }
    if AddressForms.isPhoneNumber(canonical) { return Destination(.phoneNumber, canonical) }
    let random = try simulated("destination", canonical, in: pool)
    func letter(_ place: Int) -> String {
      String(decoding: [UInt8(ascii: "a") + random[place] % 26], as: UTF8.self)
    }
    guard pool.autoVerified.contains(.email) || !pool.autoVerified.contains(.phoneNumber) else {
      // A number of the usual length.
      return Destination(.phoneNumber, "+1" + random.prefix(10).map { String($0 % 10) }.joined())
    }
    return Destination(.email, "\(letter(0))@\(letter(1))")
  }
}

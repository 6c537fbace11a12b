internal import SecureRemotePassword
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

extension ImportedRow {
  /// The user of a row.
  ///
  /// - Throws: `importRefused`, `userNameRefused`, `attributesRefused`, `addressMalformed`, `cryptoFailed`.
  func user(
    of pool: UserPool, at now: Timestamp, line: Int, _ secrets: UserPoolSecrets
  ) throws(UserPoolError) -> User {
    let name = try UserNameRules(pool).checkedNew(self.name)
    let attributes = try AttributeRules(pool).checkedNew(
      self.attributes, byAdministrator: false, client: nil, address: name.address)
    var user = try User(name, attributes: attributes, in: pool, at: now)
    user.status = verifier.isEmpty ? .resetRequired : .confirmed
    if hasFactor {
      let canHaveSMS = pool.offers(.sms) && user.isSetUp(.sms)
      // In a pool that requires a second factor, a sign-in without one asks to set one up.
      guard canHaveSMS || pool.mfa == .on else {
        throw .importRefused(
          line: line,
          rule: "cognito:mfa_enabled must be false: the pool sends no SMS, or the user has no phone_number")
      }
      user.smsFactor = canHaveSMS
    }
    if !verifier.isEmpty { user.password = try password(of: user, line, secrets) }
    return user
  }

  private func password(
    of user: User, _ line: Int, _ secrets: UserPoolSecrets
  ) throws(UserPoolError) -> StoredPassword {
    func refused(_ rule: String) -> UserPoolError { .importRefused(line: line, rule: rule) }
    guard let salt = Self.bytes(salt) else { throw refused("srp:salt is neither hexadecimal nor base64") }
    guard var value = Self.bytes(verifier) else {
      throw refused("srp:verifier is neither hexadecimal nor base64")
    }
    guard userIDForSRP.unicodeScalars.count <= 128 else {
      throw refused("srp:id has more than 128 characters")
    }
    let secret = SecretBytes(wiping: &value)
    let id = userIDForSRP.isEmpty ? (user.name == user.sub ? name : user.name) : userIDForSRP
    let made: CognitoVerifier
    do throws(SRPError) {
      // Without leading zeros: some clients hash the digits that they receive.
      made = try CognitoVerifier(salt: Array(salt.drop { $0 == 0 }), value: secret)
    } catch {
      throw refused("srp:salt or srp:verifier: \(error)")
    }
    return try StoredPassword(made, poolID: user.poolID, sub: user.sub, userIDForSRP: id, secrets)
  }

  /// Hexadecimal, where a text has only such digits, or base64; nil for another text. Numbers in hexadecimal may lack
  /// leading zeros.
  private static func bytes(_ text: String) -> [UInt8]? {
    (try? Hex.decode(text.utf8.count % 2 == 0 ? text : "0" + text)) ?? (try? Base64.decode(text))
  }
}

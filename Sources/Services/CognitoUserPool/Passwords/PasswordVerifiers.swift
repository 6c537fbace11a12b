package import SecureRemotePassword
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Passwords are stored as SRP verifiers, sealed. A plain password is checked by computing its verifier.
extension StoredPassword {
  /// The stored form of a password, with a new salt.
  init(
    _ password: borrowing SecretBytes, poolID: String, sub: String, userIDForSRP: String,
    _ secrets: UserPoolSecrets
  ) throws(UserPoolError) {
    let verifier = try UserPoolError.srp { () throws(SRPError) in
      try CognitoVerifier(
        identity: .user(userPoolID: poolID, userIDForSRP: userIDForSRP), password: password)
    }
    try self.init(verifier, poolID: poolID, sub: sub, userIDForSRP: userIDForSRP, secrets)
  }

  /// The stored form of a verifier, for instance of one that is imported.
  package init(
    _ verifier: borrowing CognitoVerifier, poolID: String, sub: String, userIDForSRP: String,
    _ secrets: UserPoolSecrets
  ) throws(UserPoolError) {
    self.init()
    self.userIDForSRP = userIDForSRP
    salt = verifier.salt
    sealed = try secrets.seal(
      verifier.value, for: .verifier, name: Self.sealName(pool: poolID, sub: sub))
  }

  /// The verifier.
  package func verifier(
    poolID: String, sub: String, _ secrets: UserPoolSecrets
  ) throws(UserPoolError) -> CognitoVerifier {
    let name = Self.sealName(pool: poolID, sub: sub)
    guard let value = try secrets.open(sealed.span, for: .verifier, name: name) else {
      throw .cryptoFailed("the verifier of a password cannot be opened")
    }
    let salt = salt
    return try UserPoolError.srp { () throws(SRPError) in try CognitoVerifier(salt: salt, value: value) }
  }

  /// Returns whether this is the stored form of a password: one power, and a comparison in constant time.
  func isForm(
    of password: borrowing SecretBytes, poolID: String, sub: String, _ secrets: UserPoolSecrets
  ) throws(UserPoolError) -> Bool {
    let known = try verifier(poolID: poolID, sub: sub, secrets)
    return try Self.isPassword(password, of: known, poolID: poolID, userIDForSRP: userIDForSRP)
  }

  static func isPassword(
    _ password: borrowing SecretBytes, of known: borrowing CognitoVerifier, poolID: String,
    userIDForSRP: String
  ) throws(UserPoolError) -> Bool {
    let salt = known.salt
    let computed = try UserPoolError.srp { () throws(SRPError) in
      try CognitoVerifier(
        identity: .user(userPoolID: poolID, userIDForSRP: userIDForSRP), password: password, salt: salt)
    }
    return computed.value.isEqual(to: known.value)
  }
}

extension User {
  /// The record, for a sign-in by SRP; nil for a user without a password.
  func srpRecord(_ secrets: UserPoolSecrets) throws(UserPoolError) -> CognitoSRPRecord? {
    guard let password else { return nil }
    let verifier = try password.verifier(poolID: poolID, sub: sub, secrets)
    let identity = try UserPoolError.srp { () throws(SRPError) in
      try CognitoSRPIdentity.user(
        poolName: UserPool.nameForSRP(poolID), userIDForSRP: password.userIDForSRP)
    }
    return CognitoSRPRecord(identity: identity, verifier: verifier)
  }
}

extension UserPool {
  /// The part of a pool's id that is hashed with names.
  static func nameForSRP(_ id: String) -> String { id.parts(at: "_", most: 2).last ?? id }
}

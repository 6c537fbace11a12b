internal import Records
internal import SecureRemotePassword
internal import TokenSecurityBase
internal import TokenSecurityCrypto

extension ReadTransaction<UserPoolError> {
  /// Returns a user's confirmed device; nil for another user's, and for one that was not confirmed or was
  /// forgotten.
  package func confirmedDevice(_ key: String, of user: User) throws(UserPoolError) -> UserDevice? {
    guard let device = try device(key, of: user), device.isConfirmed else { return nil }
    return device
  }
}

extension UserDevice {
  /// The name with which a verifier is sealed: a seal cannot be moved to another device.
  static func sealName(_ poolID: String, _ sub: String, _ key: String) -> String {
    "\(poolID)/\(sub)/\(key)"
  }

  /// The identity that the device's password is proved with.
  ///
  /// - Throws: `deviceUnknown` for a key of another form.
  var srpIdentity: CognitoSRPIdentity {
    get throws(UserPoolError) {
      do throws(SRPError) { return try .device(groupKey: groupKey, deviceKey: key) } catch {
        throw .deviceUnknown
      }
    }
  }

  /// The record, for a device's sign-in.
  ///
  /// - Parameter secrets: opens the verifier.
  /// - Returns: the record.
  /// - Throws: `deviceUnknown`, `cryptoFailed`, also for a device that was not confirmed.
  func srpRecord(_ secrets: UserPoolSecrets) throws(UserPoolError) -> CognitoSRPRecord {
    guard let sealed,
      let value = try secrets.open(sealed.span, for: .verifier, name: Self.sealName(poolID, sub, key))
    else {
      throw .cryptoFailed("the verifier of a device cannot be opened")
    }
    let (salt, identity) = (salt, try srpIdentity)
    return try UserPoolError.srp { () throws(SRPError) in
      CognitoSRPRecord(identity: identity, verifier: try CognitoVerifier(salt: salt, value: value))
    }
  }
}

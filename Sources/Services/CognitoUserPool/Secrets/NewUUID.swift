internal import TokenSecurityBase
internal import TokenSecurityCrypto

extension UUIDText {
  /// A random UUID, for the id of a user, a sign-in, a message or a device.
  ///
  /// - Throws: `cryptoFailed`.
  static func new() throws(UserPoolError) -> String {
    try UserPoolError.crypto { () throws(CryptoError) in try UUIDText.random() }
  }
}

package import TokenSecurityBase

extension UUIDText {
  /// A random UUID (RFC 9562 section 5.4).
  ///
  /// - Returns: the UUID in lower case.
  /// - Throws: `library` if the system has no entropy.
  package static func random() throws(CryptoError) -> String { version4(try Random.publicBytes(count: 16)) }
}

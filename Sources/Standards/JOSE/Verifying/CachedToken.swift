internal import TokenSecurityBase

/// A verified token in a ``VerifiedTokenCache``.
package final class CachedToken: Sendable {
  /// The token.
  package let token: VerifiedToken
  /// The index of its issuer, for verifiers of several.
  package let issuer: Int
  /// The hash by which it is found.
  let hash: UInt64
  /// The number of the verifier that stored it.
  let section: UInt64
  /// The key set that verified it.
  let keys: PreparedKeys.Identity
  /// The time from which it has expired, in seconds since 1970, without leeway.
  let expiration: Int64
  /// Its memory in bytes, approximately.
  let size: Int

  /// The objects around the bytes of a token, and its slot in a table. Measured with the statistics of the
  /// allocator: tokens of 600 bytes to 12 KB then take 0.98 to 1.00 times their `size`.
  private static let overhead = 880

  init(_ token: VerifiedToken, hash: UInt64, section: UInt64, issuer: Int, keys: PreparedKeys) {
    self.token = VerifiedToken(copying: token)
    self.hash = hash
    self.section = section
    self.issuer = issuer
    self.keys = keys.identity
    expiration = token.claims.expiration?.seconds ?? .max
    let parsed = token.parsed
    size =
      Self.overhead + parsed.compact.utf8.count + parsed.signature.capacity
      + parsed.header.document.memorySize + parsed.claims.document.memorySize
  }

  /// True if this is the token with the same bytes, stored by the same verifier.
  func matches(_ compact: String, _ section: UInt64) -> Bool {
    let bytes = compact.utf8.span
    return self.section == section && bytes.count == token.parsed.compact.utf8.count
      && ByteSearch.has(token.parsed.compact, bytes, at: 0)
  }
}

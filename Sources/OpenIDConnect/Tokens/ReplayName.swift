internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// The name under which a token or proof that counts once is remembered: a digest of its kind, its scope and its own
/// identifier. It has one length whatever the identifier's, and identifiers of two issuers never collide.
enum ReplayName {
  /// The name of `identifier`.
  ///
  /// - Parameters:
  ///   - identifier: the token's own identifier (`jti`), unique within its scope.
  ///   - scope: who chose the identifier: the issuer, or the thumbprint of a proof's key.
  ///   - kind: what the token is, so that one memory can serve several kinds.
  static func make(_ identifier: String, of scope: String, kind: String) -> String {
    // The lengths in front keep the parts apart whatever bytes they have.
    let text = "\(scope.utf8.count) \(identifier.utf8.count) " + scope + identifier
    // Without a digest the name is empty, and of all empty names only the first is new.
    guard let digest = try? DigestAlgorithm.sha256.hash(text.utf8.span) else { return "" }
    return kind + ":" + Base64URL.string(digest)
  }
}

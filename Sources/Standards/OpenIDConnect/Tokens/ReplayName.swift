internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The name of a single-use token or proof in a replay cache: a digest of its kind, scope and identifier. It
/// has a fixed length, and identifiers of two issuers never collide.
enum ReplayName {
  /// Makes the name.
  ///
  /// - Parameters:
  ///   - identifier: the token's identifier (`jti`), unique within its scope.
  ///   - scope: the source of the identifier: the issuer, or the thumbprint of a proof's key.
  ///   - kind: the kind of token, so that one cache can serve several kinds.
  /// - Returns: the name.
  static func make(_ identifier: String, of scope: String, kind: String) -> String {
    // The lengths separate the parts, whatever bytes they contain.
    let text = "\(scope.utf8.count) \(identifier.utf8.count) " + scope + identifier
    // If hashing fails, all names are equal: at most one token is accepted.
    guard let digest = try? DigestAlgorithm.sha256.hash(text.utf8.span) else { return "" }
    return kind + ":" + Base64URL.string(digest)
  }
}

internal import TokenSecurityBase

/// A token that a ``TokenVerifier`` has verified. Only a verifier makes one.
public struct VerifiedToken: Sendable, Hashable {
  private let token: UnverifiedToken
  /// The algorithm of the signature.
  public let algorithm: Algorithm
  /// The time of the verification. The token may have expired since.
  public let verifiedAt: NumericDate
  private let key: PreparedKeys.KeyName

  init(_ parsed: ParsedToken, algorithm: Algorithm, key: PreparedKeys.KeyName, verifiedAt: NumericDate) {
    token = UnverifiedToken(parsed)
    self.algorithm = algorithm
    self.key = key
    self.verifiedAt = verifiedAt
  }

  /// The same token, verified again.
  init(_ other: VerifiedToken, verifiedAt: NumericDate) {
    self = VerifiedToken(other.parsed, algorithm: other.algorithm, key: other.key, verifiedAt: verifiedAt)
  }

  /// The same token with texts of its own. A caller's text may have more capacity than bytes, and threads
  /// would contend for its reference count.
  init(copying other: VerifiedToken) {
    self = VerifiedToken(
      ParsedToken(copying: other.parsed), algorithm: other.algorithm, key: other.key.copy,
      verifiedAt: other.verifiedAt)
  }

  /// The token's parts.
  var parsed: ParsedToken { token.parsed }
  /// The token's text.
  public var compact: String { token.compact }
  /// The header, covered by the signature and chosen by the issuer. It may be decoded at each access.
  public var header: JOSEHeader { token.header }
  /// The claims.
  public var claims: TokenClaims { token.claims }
  /// The `kid` of the key that verified the signature.
  public var keyID: String? {
    switch key {
    case .asInHeader: header.keyID
    case .named(let name): name
    case .nameless: nil
    }
  }
}

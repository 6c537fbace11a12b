internal import TokenSecurityEncodings

/// A token that a ``TokenVerifier`` has accepted. There is no other way to have one.
public struct VerifiedToken: Sendable, Hashable {
  private let token: UnverifiedToken
  /// The algorithm that the signature was verified with.
  public let algorithm: Algorithm
  /// The instant that the token was judged at. It says nothing of later instants.
  public let verifiedAt: NumericDate
  private let key: PreparedKeys.KeyName

  init(_ parsed: ParsedToken, algorithm: Algorithm, key: PreparedKeys.KeyName, verifiedAt: NumericDate) {
    token = UnverifiedToken(parsed)
    self.algorithm = algorithm
    self.key = key
    self.verifiedAt = verifiedAt
  }

  /// The token as it was given.
  public var compact: String { token.compact }
  /// The header; protected by the signature, chosen by the issuer.
  public var header: JOSEHeader { token.header }
  /// What the issuer claims.
  public var claims: TokenClaims { token.claims }
  /// The `kid` of the key that the signature was verified with, where the key has one.
  public var keyID: String? {
    switch key {
    case .asInHeader: header.keyID
    case .named(let name): name
    case .nameless: nil
    }
  }
}

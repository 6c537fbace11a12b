/// A token that a ``TokenVerifier`` has accepted. There is no other way to have one.
public struct VerifiedToken: Sendable, Hashable {
  /// The token as it was given.
  public var compact: String { token.compact }
  /// The header; protected by the signature, chosen by the issuer.
  public var header: JOSEHeader { token.header }
  /// What the issuer claims.
  public var claims: TokenClaims { token.claims }
  /// The algorithm that the signature was verified with.
  public let algorithm: Algorithm
  /// The `kid` of the key that the signature was verified with, where the key has one.
  public let keyID: String?
  /// The instant that the token was judged at. It says nothing of later instants.
  public let verifiedAt: NumericDate

  private let token: UnverifiedToken

  init(
    _ token: UnverifiedToken, algorithm: Algorithm, keyID: String?, verifiedAt: NumericDate
  ) {
    self.token = token
    self.algorithm = algorithm
    self.keyID = keyID
    self.verifiedAt = verifiedAt
  }
}

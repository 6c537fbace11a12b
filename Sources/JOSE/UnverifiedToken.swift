internal import Encodings

/// A compact token that has been taken apart and not been verified.
///
/// It can be looked at, to pick a verifier by its issuer for instance. Nothing that it says may be
/// acted on: only a ``TokenVerifier`` makes a ``VerifiedToken``.
public struct UnverifiedToken: Sendable, Hashable {
  /// The token as it was given.
  public let compact: String
  /// What the token says about itself.
  public let header: JOSEHeader
  /// What the token claims.
  public let claims: TokenClaims
  /// The decoded signature.
  public let signature: [UInt8]

  let signingInputSize: Int

  /// Takes `compact` apart. Throws where it is not a compact JWS of a JSON header and a JSON object of
  /// claims, in the one form that RFC 7515 allows.
  public init(
    _ compact: String, limits: TokenLimits = TokenLimits()
  ) throws(JOSEError) {
    let parts = try CompactParts(compact.utf8.span, limits: limits)
    try self.init(
      compact, parts, header: JOSEHeader(parts.header, limits: limits),
      claims: TokenClaims(parts.payload, limits: limits))
  }

  init(_ compact: String, _ parts: CompactParts, header: JOSEHeader, claims: TokenClaims) {
    self.compact = compact
    self.header = header
    self.claims = claims
    signature = parts.signature
    signingInputSize = parts.signingInputSize
  }
}

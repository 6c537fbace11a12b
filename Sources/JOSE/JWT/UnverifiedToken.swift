internal import TokenSecurityEncodings

/// A compact token that has been taken apart and not been verified.
///
/// It can be looked at, to pick a verifier by its issuer for instance. Nothing that it says may be
/// acted on: only a ``TokenVerifier`` makes a ``VerifiedToken``.
public struct UnverifiedToken: Sendable {
  let parsed: ParsedToken

  /// Takes `compact` apart. Throws where it is not a compact JWS of a JSON header and a JSON object of
  /// claims, in the one form that RFC 7515 allows.
  public init(
    _ compact: String, limits: TokenLimits = TokenLimits()
  ) throws(JOSEError) {
    try self.init(compact, limits: limits, acceptsPadding: false)
  }

  init(_ compact: String, limits: TokenLimits, acceptsPadding: Bool) throws(JOSEError) {
    let parts = try CompactParts(compact.utf8.span, limits: limits, acceptsPadding: acceptsPadding)
    parsed = ParsedToken(
      compact, parts, limits: limits, header: try JOSEHeader(parts.header, limits: limits),
      claims: try ClaimsDocument(parts.payload, limits: limits))
  }

  init(_ parsed: ParsedToken) { self.parsed = parsed }

  /// The token as it was given.
  public var compact: String { parsed.compact }
  /// What the token says about itself.
  public var header: JOSEHeader { parsed.header }
  /// What the token claims.
  public var claims: TokenClaims { TokenClaims(parsed.claims) }
  /// The decoded signature.
  public var signature: [UInt8] { parsed.signature }
}

/// A token's parts, in one object: a token is handed from step to step by counting one reference.
final class ParsedToken: Sendable {
  let compact: String
  let header: JOSEHeader
  let claims: ClaimsDocument
  let signature: [UInt8]
  /// How many bytes of the text the signature is made over.
  let signingInputSize: Int
  /// The limits that the token was taken apart under.
  let limits: TokenLimits

  init(
    _ compact: String, _ parts: CompactParts, limits: TokenLimits, header: JOSEHeader, claims: ClaimsDocument
  ) {
    self.compact = compact
    self.limits = limits
    self.header = header
    self.claims = claims
    signature = parts.signature
    signingInputSize = parts.signingInputSize
  }
}

extension UnverifiedToken: Hashable {
  /// Tokens are equal when they are the same text.
  public static func == (a: UnverifiedToken, b: UnverifiedToken) -> Bool {
    a.compact.isIdentical(to: b.compact)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(compact) }
}

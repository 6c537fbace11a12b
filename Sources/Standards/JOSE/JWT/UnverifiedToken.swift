internal import TokenSecurityBase

/// A parsed compact token that is not verified.
///
/// Its header and claims can be read, for example to choose a verifier by the issuer, but must not be
/// trusted. Only a ``TokenVerifier`` makes a ``VerifiedToken``.
public struct UnverifiedToken: Sendable {
  let parsed: ParsedToken

  /// Parses a compact JWS whose payload is a JSON object of claims, in the form that RFC 7515 requires.
  ///
  /// - Parameters:
  ///   - compact: the token.
  ///   - limits: maximum sizes.
  /// - Throws: the first rule that the form of the token breaks. For a payload that cannot be read, `headerEncryption` or
  ///   `unencodedPayload` if the header says why.
  public init(
    _ compact: String, limits: TokenLimits = TokenLimits()
  ) throws(JOSEError) {
    try self.init(compact, limits: limits, acceptsPadding: false)
  }

  init(_ compact: String, limits: TokenLimits, acceptsPadding: Bool) throws(JOSEError) {
    do {
      parsed = try ParsedToken(compact, limits: limits, acceptsPadding: acceptsPadding)
    } catch {
      let header = UnreadablePayload.header(
        of: compact, after: error, limits: limits, acceptsPadding: acceptsPadding)
      throw header.flatMap(UnreadablePayload.reason) ?? error
    }
  }

  init(_ parsed: ParsedToken) { self.parsed = parsed }

  /// The token's text.
  public var compact: String { parsed.compact }
  /// The header.
  public var header: JOSEHeader { parsed.header }
  /// The claims.
  public var claims: TokenClaims { TokenClaims(parsed.claims) }
  /// The decoded signature.
  public var signature: [UInt8] { parsed.signature }
}

/// A token's parts in one object, so that passing a token on counts one reference.
final class ParsedToken: Sendable {
  let compact: String
  /// Nil for a header that the verifier knew: the token's text still has it.
  private let decodedHeader: JOSEHeader?
  let claims: ClaimsDocument
  let signature: [UInt8]
  /// The number of bytes of the text that are signed.
  let signingInputSize: Int
  /// The limits that the token was parsed with.
  let limits: TokenLimits

  init(_ compact: String, limits: TokenLimits, acceptsPadding: Bool) throws(JOSEError) {
    self.compact = compact
    self.limits = limits
    let (header, payload, signature, signingInputSize) = try CompactParts.decode(
      compact.utf8.span, limits: limits, acceptsPadding: acceptsPadding)
    self.signature = signature
    self.signingInputSize = signingInputSize
    decodedHeader = try JOSEHeader(header, limits: limits)
    claims = try ClaimsDocument(payload, limits: limits)
  }

  /// Parses a token that begins with a header which the verifier knows: it is decoded when it is asked for.
  init(
    _ compact: String, knownHeader: Int, limits: TokenLimits, acceptsPadding: Bool
  ) throws(JOSEError) {
    self.compact = compact
    self.limits = limits
    let (_, payload, signature, signingInputSize) = try CompactParts.decode(
      compact.utf8.span, limits: limits, acceptsPadding: acceptsPadding, knownHeader: knownHeader)
    self.signature = signature
    self.signingInputSize = signingInputSize
    decodedHeader = nil
    claims = try ClaimsDocument(payload, limits: limits)
  }

  init(
    _ compact: String, limits: TokenLimits, header: JOSEHeader, claims: ClaimsDocument, signature: [UInt8],
    signingInputSize: Int
  ) {
    self.compact = compact
    self.limits = limits
    decodedHeader = header
    self.claims = claims
    self.signature = signature
    self.signingInputSize = signingInputSize
  }

  /// The same parts with a copy of the text.
  init(copying other: ParsedToken) {
    compact = String(decoding: Array(other.compact.utf8), as: UTF8.self)
    decodedHeader = other.header
    claims = other.claims
    signature = other.signature
    signingInputSize = other.signingInputSize
    limits = other.limits
  }

  /// The header; decoded at each access if the verifier knew it.
  var header: JOSEHeader { decodedHeader ?? JOSEHeader(known: compact, limits: limits) }
}

extension UnverifiedToken: Hashable {
  /// Compares the tokens' texts.
  ///
  /// - Parameters:
  ///   - a: a token.
  ///   - b: a token.
  /// - Returns: true if both are the same text.
  public static func == (a: UnverifiedToken, b: UnverifiedToken) -> Bool {
    a.compact.isIdentical(to: b.compact)
  }

  /// Hashes the text.
  ///
  /// - Parameter hasher: the hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(compact) }
}

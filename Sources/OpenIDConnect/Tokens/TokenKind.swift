internal import JOSE

/// The kinds of token that there are. One is never taken for another.
public enum TokenKind: String, Sendable, Hashable, CaseIterable {
  /// Says who signed in, to the client that asked (OpenID Connect Core section 2).
  case idToken = "ID token"
  /// Opens an interface (RFC 9068, or a provider's own form).
  case accessToken = "access token"
  /// Says that someone signed out (OpenID Connect Back-Channel Logout 1.0 section 2.4).
  case logoutToken = "logout token"
  /// Proves that the sender has a key (RFC 9449 section 4.2).
  case proof = "DPoP proof"

  var withArticle: String {
    switch self {
    case .idToken, .accessToken: "an " + rawValue
    case .logoutToken, .proof: "a " + rawValue
    }
  }

  /// The kind that a token evidently is, or nil where it could be any: most kinds are told apart only by
  /// what they lack.
  static func evident(_ claims: TokenClaims, _ header: JOSEHeader) -> TokenKind? {
    if let type = header.type { if let kind = named(type) { return kind } }
    if claims.has("token_use", "id") || claims.has("typ", "ID") { return .idToken }
    if claims.has("token_use", "access") || claims.has("typ", "Bearer") || claims.has("scp") {
      return .accessToken
    }
    if claims["events"]?.object?[LogoutToken.event] != nil { return .logoutToken }
    if claims.has("nonce") || claims.has("at_hash") || claims.has("c_hash") { return .idToken }
    return nil
  }

  private static func named(_ type: String) -> TokenKind? {
    switch type.lowercased() {
    case "at+jwt", "application/at+jwt": .accessToken
    case "logout+jwt", "application/logout+jwt": .logoutToken
    case "dpop+jwt", "application/dpop+jwt": .proof
    default: nil
    }
  }

  /// The check that a token is of this kind, or of none that is evident. It is judged first: whoever gives an
  /// access token where an ID token is wanted is told just that.
  func check() -> TokenCheck {
    TokenCheck(
      "kind", reference: "RFC 8725 section 3.11", demand: withArticle, isJudgedFirst: true,
      finding: { claims, header in Self.evident(claims, header)?.withArticle ?? "of no evident kind" },
      refusal: { claims, header, _ in
        guard let found = Self.evident(claims, header), found != self else { return nil }
        return ClaimFault.wrongKind(wanted: self, found: found).refusal
      })
  }
}

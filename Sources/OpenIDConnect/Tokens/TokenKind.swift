internal import TokenSecurityEncodings
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
  /// Gets new tokens from the authorization server that issued it. No other server accepts one.
  case refreshToken = "refresh token"

  var withArticle: String {
    switch self {
    case .idToken, .accessToken: "an " + rawValue
    case .logoutToken, .proof, .refreshToken: "a " + rawValue
    }
  }

  /// The kind that a token evidently is, or nil where it could be any: most kinds are told apart only by
  /// what they lack.
  static func evident(_ claims: TokenClaims, _ header: JOSEHeader) -> TokenKind? {
    if let type = header.type, let kind = named(type) { return kind }
    if claims.has("token_use", "id") || claims.has("typ", "ID") { return .idToken }
    if claims.has("token_use", "access") || claims.has("scp") { return .accessToken }
    // Keycloak's `typ`, and Entra's `idtyp`, which only access tokens have.
    if claims.has("typ", "Bearer") || claims.has("typ", "DPoP") || claims.has("idtyp") { return .accessToken }
    if claims.has("typ", "Refresh") || claims.has("typ", "Offline") { return .refreshToken }
    if claims["events"]?.object?[LogoutToken.event] != nil { return .logoutToken }
    if claims.has("nonce") || claims.has("at_hash") || claims.has("c_hash") { return .idToken }
    return nil
  }

  private static func named(_ type: String) -> TokenKind? {
    for kind in allCases where HeaderType.isOne(type, of: kind.ownTypes) { return kind }
    return nil
  }

  /// The media types of this kind alone.
  private var ownTypes: [String] {
    switch self {
    case .idToken: ["id_token+jwt"]
    case .accessToken: ["at+jwt"]
    case .logoutToken: ["logout+jwt"]
    case .proof: ["dpop+jwt"]
    case .refreshToken: []
    }
  }

  /// The check that a token is of this kind, or of none that is evident. It is judged first: whoever gives an
  /// access token where an ID token is wanted is told just that.
  func check() -> TokenCheck {
    TokenCheck(
      "kind", reference: "RFC 8725 section 3.11", expected: withArticle, isCheckedFirst: true,
      actual: { claims, header in Self.evident(claims, header)?.withArticle ?? "of no evident kind" },
      refusal: { claims, header, _ in
        if let found = Self.evident(claims, header), found != self {
          return ClaimError.wrongKind(expected: self, actual: found).refusal
        }
        guard self == .idToken else { return nil }
        return Self.foreignType(claims, header).map {
          ClaimError.typeForeign(expected: self, actual: $0).refusal
        }
      })
  }

  /// The explicit type of a token that is no ID token's, or nil. A type that is not known here belongs to another
  /// kind of token (RFC 8725 sections 3.11 and 3.12): ID tokens have none, `JWT` or `id_token+jwt` in the header.
  /// Keycloak has a claim `typ`, which is `ID` in an ID token.
  static func foreignType(_ claims: TokenClaims, _ header: JOSEHeader) -> String? {
    if let type = header.type, !HeaderType.isOne(type, of: ["JWT", "id_token+jwt"]) { return type }
    guard let type = claims["typ"] else { return nil }
    guard let name = type.string else { return type.description }
    return name == "ID" || HeaderType.isOne(name, of: ["JWT", "id_token", "id_token+jwt"]) ? nil : name
  }
}

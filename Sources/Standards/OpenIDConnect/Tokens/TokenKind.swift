internal import JOSE
internal import TokenSecurityBase

/// A kind of token. A token of one kind is never accepted as another.
public enum TokenKind: String, Sendable, Hashable, CaseIterable {
  /// Identifies the user to the client (OpenID Connect Core section 2).
  case idToken = "ID token"
  /// Grants access to an API (RFC 9068, or a provider's format).
  case accessToken = "access token"
  /// Reports that a user signed out (OpenID Connect Back-Channel Logout 1.0 section 2.4).
  case logoutToken = "logout token"
  /// Proves possession of a key (RFC 9449 section 4.2).
  case proof = "DPoP proof"
  /// Gets new tokens from the authorization server that issued it. Other servers never accept it.
  case refreshToken = "refresh token"

  var withArticle: String {
    switch self {
    case .idToken, .accessToken: "an " + rawValue
    case .logoutToken, .proof, .refreshToken: "a " + rawValue
    }
  }

  /// The kind that a token's type and claims identify, or nil if they fit several kinds.
  static func evident(_ claims: TokenClaims, _ header: JOSEHeader) -> TokenKind? {
    if let type = header.type, let kind = named(type) { return kind }
    if claims.has("token_use", "id") || claims.has("typ", "ID") { return .idToken }
    if claims.has("token_use", "access") || claims.has("scp") { return .accessToken }
    // Keycloak's `typ`, and `idtyp` of Entra's access tokens.
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

  /// The media types of this kind only.
  private var ownTypes: [String] {
    switch self {
    case .idToken: ["id_token+jwt"]
    case .accessToken: ["at+jwt"]
    case .logoutToken: ["logout+jwt"]
    case .proof: ["dpop+jwt"]
    case .refreshToken: []
    }
  }

  /// The token is not identified as another kind. Runs first, so that the wrong kind of token is reported as
  /// such.
  func check() -> TokenCheck {
    TokenCheck(
      "kind", reference: "RFC 8725 section 3.11", expected: withArticle, isCheckedFirst: true,
      actual: { claims, header in Self.evident(claims, header)?.withArticle ?? "unidentified" },
      refusal: { claims, header, _ in
        if let actual = Self.evident(claims, header), actual != self {
          return ClaimError.wrongKind(expected: self, actual: actual).refusal
        }
        guard self == .idToken else { return nil }
        return Self.foreignType(claims, header).map {
          ClaimError.wrongType(expected: self, actual: $0).refusal
        }
      })
  }

  /// The explicit type of a token that is not an ID token, or nil. ID tokens have no type, `JWT` or
  /// `id_token+jwt` in the header; any other type belongs to another kind of token (RFC 8725 sections 3.11
  /// and 3.12). Keycloak's ID tokens have a claim `typ`, which is `ID`.
  static func foreignType(_ claims: TokenClaims, _ header: JOSEHeader) -> String? {
    if let type = header.type, !HeaderType.isOne(type, of: ["JWT", "id_token+jwt"]) { return type }
    guard let type = claims["typ"] else { return nil }
    guard let name = type.string else { return type.description }
    return name == "ID" || HeaderType.isOne(name, of: ["JWT", "id_token", "id_token+jwt"]) ? nil : name
  }
}

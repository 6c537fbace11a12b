public import JOSE
internal import TokenSecurityBase

/// The logins of an identity: the parsed `amr` of an identity pool's token.
///
/// `amr` begins with `authenticated` or `unauthenticated`. The login providers follow; in all but old tokens,
/// an element with the user's identifier comes after each provider.
public struct CognitoLogins: Sendable, Hashable {
  /// False for guests.
  public let isAuthenticated: Bool
  /// The logins, in the token's order.
  public let logins: [Login]

  /// One login.
  public struct Login: Sendable, Hashable {
    /// The provider's name, for example `graph.facebook.com`, a developer provider or a user pool.
    public let provider: String
    /// The user's identifier at the provider, if the token has it: the developer's own identifier for a
    /// developer provider, `sub` for an OpenID provider.
    public let userIdentifier: String?
    /// The origin of the identifier.
    public let source: Source
  }

  /// The origin of a login.
  public enum Source: String, Sendable, Hashable {
    /// A developer's service: `PROVIDER:POOL:IDENTIFIER`.
    case developer
    /// An OpenID provider's token: `PROVIDER ARN:OIDC:SUB`.
    case openID
    /// A user pool's token: `PROVIDER:CognitoSignIn:SUB`.
    case userPool
    /// The token does not say.
    case unknown = "untold"
  }

  /// Reads `amr` of a verified identity-pool token.
  ///
  /// - Parameter token: the token.
  /// - Throws: `token` with the code `claim_invalid` if `amr` is malformed.
  public init(_ token: VerifiedToken) throws(OpenIDError) {
    do throws(ClaimError) { try self.init(token.claims) } catch { throw error.error }
  }

  init(_ claims: TokenClaims) throws(ClaimError) {
    func refuse(_ rule: String) -> ClaimError { .claimInvalid(name: "amr", rule: rule) }
    guard let elements = claims["amr"]?.strings, let first = elements.first else {
      throw refuse("must be a non-empty array of strings")
    }
    switch first {
    case "authenticated": isAuthenticated = true
    case "unauthenticated": isAuthenticated = false
    default: throw refuse("begins neither with \"authenticated\" nor with \"unauthenticated\"")
    }
    let pool = claims.audience?.first ?? ""
    var logins: [Login] = []
    for element in elements.dropFirst() {
      // An element with an identifier belongs to the provider before it.
      if let last = logins.last, last.source == .unknown,
        let login = Self.login(element, of: last.provider, pool: pool)
      {
        logins[logins.count - 1] = login
      } else {
        guard !element.isEmpty else { throw refuse("has an empty element") }
        logins.append(Login(provider: element, userIdentifier: nil, source: .unknown))
      }
    }
    guard isAuthenticated != logins.isEmpty else {
      throw refuse(isAuthenticated ? "names no login provider" : "names a login provider of a guest")
    }
    self.logins = logins
  }

  // An identifier may contain colons: the prefix is matched instead of splitting the element.
  private static func login(_ element: String, of provider: String, pool: String) -> Login? {
    func rest(_ prefix: String) -> String? {
      element.utf8.starts(with: prefix.utf8)
        ? String(decoding: element.utf8.dropFirst(prefix.utf8.count), as: UTF8.self) : nil
    }
    if let user = rest("\(provider):\(pool):"), !user.isEmpty {
      return Login(provider: provider, userIdentifier: user, source: .developer)
    }
    if let user = rest("\(provider):CognitoSignIn:"), !user.isEmpty {
      return Login(provider: provider, userIdentifier: user, source: .userPool)
    }
    if let user = rest("\(provider):OIDC:"), !user.isEmpty {
      return Login(provider: provider, userIdentifier: user, source: .openID)
    }
    // The provider's ARN ends with its name and does not contain ":OIDC:".
    let bytes = Array(element.utf8)
    if element.hasPrefix("arn:"), let mark = bytes[...].firstRange(ofBytes: ":OIDC:".utf8),
      bytes[..<mark.lowerBound].ends(with: Array("/\(provider)".utf8)), mark.upperBound < bytes.endIndex
    {
      let user = String(decoding: bytes[mark.upperBound...], as: UTF8.self)
      return Login(provider: provider, userIdentifier: user, source: .openID)
    }
    return nil
  }
}

extension ArraySlice<UInt8> {
  fileprivate func ends(with suffix: [UInt8]) -> Bool {
    count >= suffix.count && self.suffix(suffix.count).elementsEqual(suffix)
  }
}

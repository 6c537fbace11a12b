internal import TokenSecurityEncodings
public import JOSE

/// Where an identity has signed in: `amr` of an identity pool's token, taken apart.
///
/// It begins with `authenticated` or `unauthenticated`; then come the login providers, each followed, in all but
/// old tokens, by an element that tells who the user is there.
public struct CognitoLogins: Sendable, Hashable {
  /// False for guests.
  public let isAuthenticated: Bool
  /// The logins, in their order.
  public let logins: [Login]

  /// One login.
  public struct Login: Sendable, Hashable {
    /// The provider's name: `graph.facebook.com`, a developer provider's own name, a user pool's.
    public let provider: String
    /// Who the user is there; nil where the token does not tell. For a developer provider it is what
    /// the developer's service called the user, for an OpenID provider `sub`.
    public let userIdentifier: String?
    /// How the identifier was told.
    public let source: Source
  }

  /// How an identity came by a login.
  public enum Source: String, Sendable, Hashable {
    /// The developer's own service vouched for it: `PROVIDER:POOL:IDENTIFIER`.
    case developer
    /// An OpenID provider's token: `PROVIDER ARN:OIDC:SUB`.
    case openID
    /// A user pool's token: `PROVIDER:CognitoSignIn:SUB`.
    case userPool
    /// The token does not tell.
    case untold
  }

  /// Reads `amr` of a verified identity-pool token.
  ///
  /// - Throws: `token` with the code `claim_invalid` where it is not as described.
  public init(_ token: VerifiedToken) throws(OpenIDError) {
    do throws(ClaimError) { try self.init(token.claims) } catch { throw error.error }
  }

  init(_ claims: TokenClaims) throws(ClaimError) {
    func refuse(_ rule: String) -> ClaimError { .claimInvalid(name: "amr", rule: rule) }
    guard let elements = claims["amr"]?.strings, let first = elements.first else {
      throw refuse("must be an array of strings, and not empty")
    }
    switch first {
    case "authenticated": isAuthenticated = true
    case "unauthenticated": isAuthenticated = false
    default: throw refuse("begins neither with \"authenticated\" nor with \"unauthenticated\"")
    }
    let pool = claims.audience?.first ?? ""
    var logins: [Login] = []
    for element in elements.dropFirst() {
      // What tells the user of the provider before it is no provider of its own.
      if let last = logins.last, last.source == .untold,
        let told = Self.user(element, of: last.provider, pool: pool)
      {
        logins[logins.count - 1] = told
      } else {
        guard !element.isEmpty else { throw refuse("has an empty element") }
        logins.append(Login(provider: element, userIdentifier: nil, source: .untold))
      }
    }
    guard isAuthenticated != logins.isEmpty else {
      throw refuse(isAuthenticated ? "names no login provider" : "names a login provider of a guest")
    }
    self.logins = logins
  }

  // An identifier may have colons in it: what stands in front is matched, nothing is split.
  private static func user(_ element: String, of provider: String, pool: String) -> Login? {
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
    // The provider's ARN ends with its name, and has no ":OIDC:" in it.
    let bytes = Array(element.utf8)
    if element.hasPrefix("arn:"), let mark = bytes.firstRange(of: Array(":OIDC:".utf8)),
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

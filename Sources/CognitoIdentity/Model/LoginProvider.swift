internal import TokenSecurityEncodings
/// A public login provider, by the name that `Logins` has it under.
public enum LoginProvider: Sendable, Hashable {
  case google
  case apple
  case amazon
  case facebook
  /// `cognito-idp.REGION.amazonaws.com/POOL`; the pool's id.
  case userPool(id: String)
  /// An OpenID provider; its issuer without `https://`.
  case openID(host: String)

  /// What `Logins` calls a developer token.
  public static let developerTokenName = "cognito-identity.amazonaws.com"

  /// The provider of a name that everyone knows; nil for a developer's own and for OpenID providers, which a pool must
  /// name.
  public init?(publicName name: String) {
    switch name {
    case "accounts.google.com": self = .google
    case "appleid.apple.com": self = .apple
    case "www.amazon.com": self = .amazon
    case "graph.facebook.com": self = .facebook
    default:
      let parts = name.parts("/", most: 2)
      guard parts.count == 2 else { return nil }
      // The region in the host is the pool's own, or the name would lead to two places.
      let pool = parts[1].parts("_", most: 2)
      let host = "cognito-idp.\(pool[0]).amazonaws.com"
      guard pool.count == 2, parts[0] == host || parts[0] == host + ".cn" else { return nil }
      self = .userPool(id: parts[1])
    }
  }

  /// The provider of `arn:aws:iam::ACCOUNT:oidc-provider/HOST`; nil for other ARNs.
  public init?(openIDProviderARN arn: String) {
    let parts = arn.parts(":", most: 6)
    guard parts.count == 6, parts[0] == "arn", parts[1].hasPrefix("aws"), parts[2] == "iam", parts[3].isEmpty,
      parts[4].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let host = parts[5].rest(after: "oidc-provider/"), !host.isEmpty,
      host.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    self = .openID(host: host)
  }
}

internal import TokenSecurityBase

/// A public login provider.
public enum LoginProvider: Sendable, Hashable {
  /// `accounts.google.com`.
  case google
  /// `appleid.apple.com`.
  case apple
  /// `www.amazon.com`.
  case amazon
  /// `graph.facebook.com`.
  case facebook
  /// A user pool, `cognito-idp.REGION.amazonaws.com/POOL`, by the pool's id.
  case userPool(id: String)
  /// An OpenID provider, by its issuer without `https://`.
  case openID(host: String)

  /// The name of a developer token in `Logins`.
  public static let developerTokenName = "cognito-identity.amazonaws.com"

  /// Finds a provider by its name in `Logins`; nil for developer providers and OpenID providers.
  ///
  /// - Parameter name: `accounts.google.com` for instance.
  public init?(publicName name: String) {
    switch name {
    case "accounts.google.com": self = .google
    case "appleid.apple.com": self = .apple
    case "www.amazon.com": self = .amazon
    case "graph.facebook.com": self = .facebook
    default:
      let parts = name.parts(at: "/", most: 2)
      guard parts.count == 2 else { return nil }
      // The host's region must be the region in the pool's id.
      let pool = parts[1].parts(at: "_", most: 2)
      guard pool.count == 2, parts[0] == AWSRegion.userPoolHost(in: pool[0]) else { return nil }
      self = .userPool(id: parts[1])
    }
  }

  /// Reads an OpenID provider's ARN; nil for other ARNs.
  ///
  /// - Parameter arn: `arn:aws:iam::ACCOUNT:oidc-provider/HOST`.
  public init?(openIDProviderARN arn: String) {
    let parts = arn.parts(at: ":", most: 6)
    guard parts.count == 6, parts[0] == "arn", parts[1].hasPrefix("aws"), parts[2] == "iam", parts[3].isEmpty,
      parts[4].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let host = parts[5].rest(after: "oidc-provider/"), !host.isEmpty,
      host.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    self = .openID(host: host)
  }
}

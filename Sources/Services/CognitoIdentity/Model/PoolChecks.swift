internal import TokenSecurityBase

/// Rules for new settings. Stored pools that break them stay readable: each rule is also checked at use.
extension IdentityPool {
  /// Checks that no OpenID provider has the developer provider's name.
  ///
  /// - Throws: `parameterRefused`.
  func checkProviderNames() throws(IdentityError) {
    guard let name = developerProviderName else { return }
    let isShared = openIDProviderARNs.contains { LoginProvider(openIDProviderARN: $0) == .openID(host: name) }
    if isShared {
      throw .parameterRefused(
        "DeveloperProviderName", rule: "it is the name of an OpenID provider of the pool")
    }
  }
}

extension RoleMapping {
  /// Checks a new mapping for `provider`.
  ///
  /// - Throws: `parameterRefused`.
  func check(_ provider: String) throws(IdentityError) {
    guard kind == .token else { return }
    // The key of a user pool's mapping is its name, a colon and an app client's id.
    guard case .userPool? = LoginProvider(publicName: provider.parts(at: ":", most: 2)[0]) else {
      throw .parameterRefused(
        "RoleMappings",
        rule:
          "the type Token is allowed for user pools only: with other providers users may choose their claims")
    }
  }
}

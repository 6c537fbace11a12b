internal import TokenSecurityEncodings

/// Rules for new settings. Stored pools that break them stay readable: each rule also holds where the setting is used.
extension IdentityPool {
  /// Checks that the developer provider has a name of its own.
  ///
  /// - Throws: `parameterRefused` where it is the name of one of the pool's OpenID providers.
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
    // A user pool's mapping is under its name, a colon and an app client's id.
    guard case .userPool? = LoginProvider(publicName: provider.parts(":", most: 2)[0]) else {
      throw .parameterRefused(
        "RoleMappings", rule: "the type Token is for user pools: elsewhere users may choose their claims")
    }
  }
}

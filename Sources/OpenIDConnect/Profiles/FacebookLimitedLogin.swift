internal import TokenSecurityEncodings
internal import JOSE

extension TrustedIssuer {
  /// Facebook's ID tokens (Limited Login on iOS). Its other logins hand out access tokens that only Facebook can
  /// read.
  ///
  /// - Parameter appIDs: our app ids.
  public static func facebookLimitedLogin(appIDs: [String]) throws(OpenIDError) -> TrustedIssuer {
    // The second name is that of tokens from the limited host.
    var rules = IDTokenRules(
      issuers: ["https://www.facebook.com", "https://limited.facebook.com"], clientIDs: appIDs)
    rules.algorithms = [.rs256]
    return TrustedIssuer(
      policy: rules.policy,
      keys: .remote(
        try .address("https://limited.facebook.com/.well-known/oauth/openid/jwks/")))
  }
}

internal import TokenSecurityEncodings
internal import JOSE

extension TrustedIssuer {
  /// Apple's ID tokens (Sign in with Apple).
  ///
  /// - Parameter clientIDs: our bundle ids and services ids.
  public static func apple(clientIDs: [String]) throws(OpenIDError) -> TrustedIssuer {
    var rules = IDTokenRules(issuers: ["https://appleid.apple.com"], clientIDs: clientIDs)
    rules.algorithms = [.rs256]
    return TrustedIssuer(
      policy: rules.policy,
      keys: .remote(try .address("https://appleid.apple.com/auth/keys")))
  }
}

internal import TokenSecurityEncodings
internal import JOSE

extension TrustedIssuer {
  /// Google's ID tokens (Sign in with Google).
  ///
  /// - Parameters:
  ///   - clientIDs: our client ids, those of all platforms: with mobile apps `aud` is the server's and `azp` the
  ///     app's.
  ///   - hostedDomains: Workspace domains of which the account must be in one (`hd`); none for any account.
  public static func google(clientIDs: [String], hostedDomains: [String] = []) throws(OpenIDError)
    -> TrustedIssuer
  {
    // Both are in use: the second in tokens of older clients.
    var rules = IDTokenRules(
      issuers: ["https://accounts.google.com", "accounts.google.com"], clientIDs: clientIDs)
    rules.algorithms = [.rs256]
    var policy = rules.policy
    if !hostedDomains.isEmpty { policy.checks.append(ProfileChecks.claim("hd", hostedDomains)) }
    policy.checks.append(ProfileChecks.verifiedAddress)
    return TrustedIssuer(
      policy: policy,
      keys: .remote(try .address("https://www.googleapis.com/oauth2/v3/certs")))
  }
}

internal import TokenSecurityEncodings
internal import JOSE

extension TrustedIssuer {
  /// Amazon's ID tokens (Login with Amazon). The keys are where Amazon's description of itself says.
  ///
  /// - Parameter clientIDs: our client ids, `amzn1.application-oa2-client.…`.
  public static func loginWithAmazon(clientIDs: [String]) throws(OpenIDError) -> TrustedIssuer {
    var rules = IDTokenRules(issuers: ["https://www.amazon.com"], clientIDs: clientIDs)
    rules.algorithms = [.rs256]
    return .openIDProvider(rules)
  }
}

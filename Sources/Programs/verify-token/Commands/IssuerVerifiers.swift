internal import JOSE
internal import TokenSecurityBase

/// The verifiers of a batch, one for each source of keys.
final class IssuerVerifiers: Sendable {
  /// The rules for all tokens.
  let policy: TokenPolicy

  /// Refuses tokens for their form or header.
  private let keyless: TokenVerifier
  private let rules: PolicyVerifier
  private let common: VerifierOnDemand
  private let separate: [ExactString: VerifierOnDemand]

  /// - Parameters:
  ///   - policy: the rules for all tokens.
  ///   - common: the verifier of tokens of other issuers.
  ///   - separate: the verifiers of issuers with keys of their own.
  /// - Throws: the errors of a `TokenVerifier`.
  init(
    _ policy: TokenPolicy, common: VerifierOnDemand, separate: [ExactString: VerifierOnDemand]
  ) throws(JOSEError) {
    self.policy = policy
    keyless = try TokenVerifier(keys: JWKSet([]), policy: policy)
    rules = try PolicyVerifier(policy)
    self.common = common
    self.separate = separate
  }

  /// The verifier of a token.
  ///
  /// - Throws: why the keys of its issuer cannot be fetched.
  func verifier(of compact: String) throws(UsageError) -> TokenVerifier {
    guard !separate.isEmpty else { return try common.verifier() }
    let token: UnverifiedToken
    do throws(JOSEError) {
      token = try rules.parse(compact)
      try rules.verifyHeader(token)
    } catch {
      // A token that is refused for its form or header needs no keys.
      return keyless
    }
    return try (token.claims.issuer.flatMap { separate[ExactString($0)] } ?? common).verifier()
  }
}

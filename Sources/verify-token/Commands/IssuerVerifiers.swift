internal import JOSE
internal import OpenIDConnect
internal import Synchronization
internal import TokenSecurityEncodings

/// The verifiers of a batch. Tokens of an issuer with keys of its own have another one, made for the first of them.
final class IssuerVerifiers: Sendable {
  /// The verifier of all other tokens.
  let common: TokenVerifier

  /// Refuses tokens of issuers whose keys cannot be fetched.
  private let keyless: TokenVerifier
  private let separate: [ExactString: KeySetLocation]
  private let make: @Sendable (KeySetLocation) throws -> TokenVerifier
  private let made = Mutex<[ExactString: TokenVerifier]>([:])

  /// - Parameters:
  ///   - common: the verifier of tokens of other issuers.
  ///   - separate: the locations of the keys of these issuers.
  ///   - make: makes a verifier with the keys of a location.
  /// - Throws: the errors of a `TokenVerifier`.
  init(
    _ common: TokenVerifier, separate: [ExactString: KeySetLocation],
    make: @escaping @Sendable (KeySetLocation) throws -> TokenVerifier
  ) throws(JOSEError) {
    self.common = common
    keyless = try TokenVerifier(keys: JWKSet([]), policy: common.policy)
    self.separate = separate
    self.make = make
  }

  /// The verifier of a token.
  func verifier(of compact: String) -> TokenVerifier {
    guard !separate.isEmpty,
      let issuer = (try? UnverifiedToken(compact, limits: common.policy.signature.limits))?.claims.issuer,
      let location = separate[ExactString(issuer)]
    else { return common }
    return made.withLock { made in
      if let verifier = made[ExactString(issuer)] { return verifier }
      let verifier: TokenVerifier
      do { verifier = try make(location) } catch {
        StandardError.write("verify-token: the keys of \(issuer.quoted) cannot be fetched: \(error)\n")
        verifier = keyless
      }
      made[ExactString(issuer)] = verifier
      return verifier
    }
  }
}

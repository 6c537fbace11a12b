public import JOSE
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Tokens that are bound to the certificate of a TLS client (RFC 8705 section 3).
public enum CertificateBinding {
  /// The thumbprint of a certificate, as in `x5t#S256` of `cnf`: its SHA-256 in base64url.
  ///
  /// - Parameter certificate: the certificate in DER.
  /// - Returns: 43 characters.
  /// - Throws: `token` with the code `library_failure`.
  public static func thumbprint(of certificate: [UInt8]) throws(OpenIDError) -> String {
    do throws(CryptoError) {
      return Base64URL.string(try DigestAlgorithm.sha256.hash(certificate.span))
    } catch {
      throw .token(JOSEError(error))
    }
  }

  /// Checks that a token is bound to the certificate with which its sender has authenticated.
  ///
  /// - Parameters:
  ///   - token: the token, of a policy whose `binding` accepts `x5t#S256`.
  ///   - certificate: the certificate in DER, which the TLS server has verified.
  /// - Throws: `token` with the code `client_certificate_mismatch` for another certificate, and for a token that is bound to
  ///   none.
  public static func check(_ token: VerifiedToken, certificate: [UInt8]) throws(OpenIDError) {
    try check(token.claims["cnf"]?.object?["x5t#S256"]?.string, certificate: certificate)
  }

  /// ``check(_:certificate:)`` for the thumbprint of a verified token.
  package static func check(_ expected: String?, certificate: [UInt8]) throws(OpenIDError) {
    try check(expected, thumbprint: try thumbprint(of: certificate))
  }

  /// The same for the thumbprint of a certificate.
  package static func check(_ expected: String?, thumbprint: String) throws(OpenIDError) {
    guard let expected, ConstantTime.areEqual(expected.utf8.span, thumbprint.utf8.span) else {
      throw ClaimError.certificateMismatch.error
    }
  }
}

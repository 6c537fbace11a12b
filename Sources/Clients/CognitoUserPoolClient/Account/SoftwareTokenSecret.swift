public import OneTimeCodes
internal import ServiceOperations
internal import TokenSecurityBase
public import TokenSecurityCrypto

/// The secret of an authenticator app, from the service.
public struct SoftwareTokenSecret: ~Copyable, Sendable {
  /// The secret.
  public let secret: OTPSecret

  /// Reads the service's text.
  init(_ text: SecretText) throws(UserPoolClientError) {
    let bytes = text.withBytes { SecretBytes($0) }
    do {
      secret = try OTPSecret(base32: bytes, strength: .weakAccepted(because: "the service has issued it"))
    } catch { throw .responseMalformed(rule: "its SecretCode is not base32: \(error)") }
  }

  /// The secret in base32, for users who cannot scan a QR code.
  ///
  /// - Returns: uppercase text without padding.
  public borrowing func base32() -> SecretBytes { secret.base32() }

  /// The URI that sets up the app, usually shown as a QR code (`OTPQRCode`): `otpauth://totp/…`.
  ///
  /// - Parameters:
  ///   - issuer: the name of the program or company.
  ///   - account: the user's name.
  /// - Returns: the URI. Its text contains the secret.
  /// - Throws: `inputInvalid` for a name that is empty, too long or has a colon.
  public borrowing func uri(issuer: String, account: String) throws(UserPoolClientError) -> OTPAuthURI {
    do { return try OTPAuthURI(issuer: issuer, account: account, secret: secret) } catch {
      throw .inputInvalid(rule: "\(error)")
    }
  }
}

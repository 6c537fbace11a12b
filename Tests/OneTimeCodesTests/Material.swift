internal import TokenSecurityCrypto
internal import OneTimeCodes
internal import Testing
internal import TokenSecurityVectorFiles

/// Secrets and codes for the tests.
enum Material {
  /// The seed of the RFCs.
  static let seed = Array("12345678901234567890".utf8)
  static let now: Timestamp = 1_788_598_987

  static func secret(_ bytes: [UInt8]) -> SecretBytes { SecretBytes(bytes.span) }
  static func secret(_ text: String) -> SecretBytes { SecretBytes(text.utf8.span) }
  static func bytes(_ secret: borrowing SecretBytes) -> [UInt8] {
    secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
  }
  static func text(_ secret: borrowing SecretBytes) -> String {
    String(decoding: bytes(secret), as: UTF8.self)
  }

  static func totp(
    _ algorithm: OTPAlgorithm = .sha1, digits: Int = 6, period: Duration = 30, epoch: Timestamp = 0
  )
    throws
    -> TOTP
  {
    try TOTP(
      secret: OTPSecret(secret(seed)), algorithm: algorithm, digits: digits, period: period, epoch: epoch)
  }

  static func hotp(digits: Int = 6) throws -> HOTP {
    try HOTP(secret: OTPSecret(secret(seed)), digits: digits)
  }

  /// The code of the error that `body` throws; nil if it throws none.
  static func code(_ body: () throws -> Void) -> OTPError.Code? {
    do { try body() } catch let error as OTPError { return error.code } catch { return nil }
    return nil
  }
}

package import TokenSecurityCrypto

extension JOSEError {
  /// Runs `body` and turns its errors into those of this module.
  static func converting<Result: ~Copyable>(
    _ body: () throws(CryptoError) -> Result
  ) throws(JOSEError) -> Result {
    do { return try body() } catch { throw JOSEError(error) }
  }

  /// The error of this module for an error of a key or signature.
  package init(_ error: CryptoError) {
    self =
      switch error {
      case .malformedKey: .keyUnreadable
      case .trailingData: .keyTrailingData
      case .encryptedKey: .keyEncrypted
      case .unsupportedKeyType(let name): .keyTypeUnknown(name)
      case .unsupportedCurve(let name): .curveUnknown(name)
      case .wrongLength(let expected, let actual):
        .keyMemberLength(name: "key", expected: expected, actual: actual)
      case .rsaModulusTooSmall(let bits), .rsaModulusTooLarge(let bits):
        .rsaModulusSize(
          bits: bits, allowed: PublicKey.smallestModulusBits...PublicKey.largestModulusBits)
      case .rsaModulusEven: .rsaModulusEven
      case .rsaModulusROCA: .rsaModulusROCA
      case .notDER(let rule): .keyNotDER(rule: rule)
      case .rsaExponent: .rsaExponent
      case .rsaPrivateNumber(let bits, let limit): .rsaPrivateNumberSize(bits: bits, limit: limit)
      case .invalidPoint: .pointInvalid
      case .keyPairMismatch: .keyPairMismatch
      case .signatureRange: .signatureRange
      case .library(let function): .library(function)
      }
  }
}

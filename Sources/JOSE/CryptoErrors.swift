package import TokenSecurityCrypto

extension JOSEError {
  /// The same refusal in the words of this module.
  package init(_ error: CryptoError) {
    self =
      switch error {
      case .malformedKey: .keyUnreadable
      case .trailingData: .keyTrailingData
      case .encryptedKey: .keyEncrypted
      case .unsupportedKeyType(let name): .keyTypeUnknown(name)
      case .unsupportedCurve(let name): .curveUnknown(name)
      case .wrongLength(let expected, let found):
        .keyMemberLength(name: "key", expected: expected, actual: found)
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

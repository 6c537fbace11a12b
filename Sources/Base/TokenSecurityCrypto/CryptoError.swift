/// Why a key or a signature cannot be used.
package enum CryptoError: Error, Equatable, Sendable {
  /// libcrypto could not parse the key, or a part of it is missing.
  case malformedKey
  /// The key is followed by other bytes.
  case trailingData
  /// The key is BER and breaks a rule of DER (ITU-T X.690 sections 10 and 11).
  case notDER(rule: String)
  /// The private key is encrypted with a password.
  case encryptedKey
  /// The key type is not supported.
  case unsupportedKeyType(String)
  /// The elliptic curve is not supported, or given by explicit parameters.
  case unsupportedCurve(String)
  /// A coordinate, key or signature of the wrong length; both in bytes.
  case wrongLength(expected: Int, actual: Int)
  /// An RSA modulus of too few bits.
  case rsaModulusTooSmall(bits: Int)
  /// An RSA modulus of too many bits.
  case rsaModulusTooLarge(bits: Int)
  /// An RSA modulus that is even.
  case rsaModulusEven
  /// An RSA modulus with the structure of keys that can be factored (ROCA, CVE-2017-15361).
  case rsaModulusROCA
  /// An RSA exponent that is even, below 3 or above the limit.
  case rsaExponent
  /// A private number of an RSA key that is longer than the modulus.
  case rsaPrivateNumber(bits: Int, limit: Int)
  /// A point that is not on its curve, is the point at infinity, has small order, or is not encoded in its
  /// canonical form.
  case invalidPoint
  /// A private key that does not belong to its public key.
  case keyPairMismatch
  /// An ECDSA signature with r or s outside of 1…n-1.
  case signatureRange
  /// A libcrypto function failed, for lack of memory or in an incomplete build. The text is its name.
  case library(String)
}

extension CryptoError {
  /// An RSA key that is for RSASSA-PSS alone (RFC 4055 section 1.2).
  package static let onlyForPSS = CryptoError.unsupportedKeyType("RSA-PSS")
  /// A curve that is given by its numbers.
  package static let explicitCurve = CryptoError.unsupportedCurve("given by explicit parameters")
}

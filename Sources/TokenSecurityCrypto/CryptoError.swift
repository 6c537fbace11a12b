/// Why a key or a signature cannot be used.
package enum CryptoError: Error, Equatable, Sendable {
  /// libcrypto could not read the key, or a part of it is missing.
  case malformedKey
  /// Bytes follow after the key.
  case trailingData
  /// The key breaks a rule of DER (ITU-T X.690 sections 10 and 11) that BER does not have; `rule` says which.
  case notDER(rule: String)
  /// The private key is encrypted with a password.
  case encryptedKey
  /// A key of a type that is not supported here.
  case unsupportedKeyType(String)
  /// An elliptic curve that is not supported here, or one given by explicit parameters.
  case unsupportedCurve(String)
  /// A coordinate, key or signature of a length that does not fit; both in bytes.
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
  /// A point that is not on its curve, or is the point at infinity, or of small order.
  case invalidPoint
  /// A private key that does not belong to the public key beside it.
  case keyPairMismatch
  /// An ECDSA signature with r or s outside of 1…n-1.
  case signatureRange
  /// libcrypto refused something that cannot fail but for lack of memory or a crippled build; the name
  /// is that of the function.
  case library(String)
}

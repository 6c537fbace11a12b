internal import CTokenSecurityOpenSSL

/// HKDF (RFC 5869) with SHA-256.
package enum KeyDerivation {
  private static let algorithm = unsafe FetchedAlgorithm(EVP_KDF_fetch(nil, "HKDF", nil))

  /// Derives `count` bytes, at most 8,160, from the bytes of `secret` from `start` on. The value of `start`
  /// may be secret.
  package static func hkdf(
    _ secret: borrowing SecretBytes, from start: Int = 0, salt: borrowing Span<UInt8>, info: StaticString,
    count: Int
  ) throws(CryptoError) -> SecretBytes {
    guard let context = unsafe EVP_KDF_CTX_new(algorithm.pointer) else {
      throw .library("EVP_KDF_CTX_new")
    }
    defer { unsafe EVP_KDF_CTX_free(context) }
    return try secret.withBytes { secret throws(CryptoError) in
      try unsafe derive(context, secret, from: start, salt, info, count)
    }
  }

  private static func derive(
    _ context: OpaquePointer, _ secret: borrowing Span<UInt8>, from start: Int, _ salt: borrowing Span<UInt8>,
    _ info: StaticString, _ count: Int
  ) throws(CryptoError) -> SecretBytes {
    try unsafe secret.withUnsafeBytes { secret throws(CryptoError) in
      try unsafe salt.withUnsafeBytes { salt throws(CryptoError) in
        // libcrypto changes neither.
        let key = unsafe UnsafeMutableRawPointer(mutating: secret.baseAddress.map { unsafe $0 + start })
        let saltAddress = unsafe UnsafeMutableRawPointer(mutating: salt.baseAddress)
        let label = unsafe UnsafeMutableRawPointer(mutating: info.utf8Start)
        let names: (digest: StaticString, key: StaticString, salt: StaticString, info: StaticString) =
          ("digest", "key", "salt", "info")
        let digest = unsafe UnsafeMutablePointer(mutating: ("SHA256" as StaticString).address)
        let parameters = unsafe [
          OSSL_PARAM_construct_utf8_string(names.digest.address, digest, 0),
          OSSL_PARAM_construct_octet_string(names.key.address, key, secret.count &- start),
          OSSL_PARAM_construct_octet_string(names.salt.address, saltAddress, salt.count),
          OSSL_PARAM_construct_octet_string(names.info.address, label, info.utf8CodeUnitCount),
          OSSL_PARAM_construct_end(),
        ]
        return try SecretBytes(count: count) { output throws(CryptoError) in
          let done = unsafe output.withUnsafeMutableBufferPointer {
            unsafe EVP_KDF_derive(context, $0.baseAddress, $0.count, parameters)
          }
          guard done == 1 else { throw .library("EVP_KDF_derive") }
        }
      }
    }
  }
}

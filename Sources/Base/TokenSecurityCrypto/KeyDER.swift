internal import CTokenSecurityOpenSSL

/// Parses keys in DER: checks their shape, lets libcrypto parse them, and checks them like all keys.
package enum KeyDER {
  /// A SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7).
  package static func subjectPublicKeyInfo(_ der: [UInt8]) throws(CryptoError) -> PublicKey {
    unsafe try PublicKey(
      parsed: read(der, .subjectPublicKeyInfo) { input, length in unsafe d2i_PUBKEY(nil, input, length) })
  }

  /// An RSAPublicKey (RFC 8017 appendix A.1.1).
  package static func rsaPublicKey(_ der: [UInt8]) throws(CryptoError) -> PublicKey {
    unsafe try PublicKey(
      parsed: read(der, .rsaPublicKey) { input, length in
        unsafe d2i_PublicKey(EVP_PKEY_RSA, nil, input, length)
      })
  }

  /// An unencrypted PrivateKeyInfo (RFC 5208 section 5), or a OneAsymmetricKey (RFC 5958 section 2). Throws
  /// `keyPairMismatch` if it has the public key of another one.
  package static func privateKeyInfo(_ der: borrowing SecretBytes) throws(CryptoError) -> PrivateKey {
    var published: [UInt8]? = nil
    let first = try der.withBytes { bytes throws(CryptoError) in
      try KeyShape.check(bytes, is: .privateKeyInfo)
      let key = try OneAsymmetricKey(DERValue(bytes, at: 0, before: bytes.count).children(bytes), bytes)
      published = key.subjectPublicKeyInfo(bytes)
      return key.firstVersion(bytes)
    }
    let key = unsafe try PrivateKey(
      parsed: read(first, .privateKeyInfo) { input, length in
        guard let info = unsafe d2i_PKCS8_PRIV_KEY_INFO(nil, input, length) else { return nil }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
        return unsafe EVP_PKCS82PKEY(info)
      })
    if let published {
      guard try subjectPublicKeyInfo(published).components == key.publicKey.components else {
        throw .keyPairMismatch
      }
    }
    return key
  }

  /// An RSAPrivateKey (RFC 8017 appendix A.1.2).
  package static func rsaPrivateKey(_ der: borrowing SecretBytes) throws(CryptoError) -> PrivateKey {
    unsafe try PrivateKey(
      parsed: read(der, .rsaPrivateKey) { input, length in
        unsafe d2i_PrivateKey(EVP_PKEY_RSA, nil, input, length)
      })
  }

  /// An ECPrivateKey (RFC 5915 section 3).
  package static func ecPrivateKey(_ der: borrowing SecretBytes) throws(CryptoError) -> PrivateKey {
    unsafe try PrivateKey(
      parsed: read(der, .ecPrivateKey) { input, length in
        unsafe d2i_PrivateKey(EVP_PKEY_EC, nil, input, length)
      })
  }

  /// The subject's key of an X.509 certificate (RFC 5280). Issuer, validity and purposes are not checked.
  package static func certificate(_ der: [UInt8]) throws(CryptoError) -> PublicKey {
    unsafe try PublicKey(
      parsed: read(der, .certificate) { input, length in
        guard let certificate = unsafe d2i_X509(nil, input, length) else { return nil }
        defer { unsafe X509_free(certificate) }
        return unsafe X509_get_pubkey(certificate)
      })
  }

  private typealias Reader = (
    _ input: UnsafeMutablePointer<UnsafePointer<UInt8>?>, _ length: Int
  ) -> OpaquePointer?

  private static func read(
    _ der: borrowing SecretBytes, _ shape: KeyShape, _ reader: Reader
  ) throws(CryptoError) -> KeyHandle {
    try der.withBytes { span throws(CryptoError) in unsafe try read(span, shape, reader) }
  }

  private static func read(
    _ der: [UInt8], _ shape: KeyShape, _ reader: Reader
  ) throws(CryptoError) -> KeyHandle {
    unsafe try read(der.span, shape, reader)
  }

  private static func read(
    _ der: borrowing Span<UInt8>, _ shape: KeyShape, _ reader: Reader
  ) throws(CryptoError) -> KeyHandle {
    try KeyShape.check(der, is: shape)
    var consumed = 0
    let key = unsafe der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
      var input = buffer.baseAddress
      guard let start = unsafe input else { return nil }
      let key = unsafe reader(&input, buffer.count)
      consumed = unsafe input.map { unsafe $0 - start } ?? 0
      return unsafe key
    }
    guard let key = unsafe key else {
      ERR_clear_error()
      throw .malformedKey
    }
    let handle = unsafe KeyHandle(owning: key)
    guard consumed == der.count else { throw .trailingData }
    return handle
  }
}

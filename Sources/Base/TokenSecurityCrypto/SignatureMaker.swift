internal import CTokenSecurityOpenSSL

/// Makes signatures with one private key and one scheme. Threads can share it.
package final class SignatureMaker: Sendable {
  private let key: KeyHandle
  private let scheme: SignatureScheme
  private let context: KeyContext?

  /// Prepares `key`. Throws `unsupportedKeyType` if it does not fit the scheme.
  package init(key: PrivateKey, scheme: SignatureScheme) throws(CryptoError) {
    guard scheme.fits(key.publicKey.components) else {
      throw .unsupportedKeyType("a key that does not fit the signature scheme")
    }
    self.key = key.handle
    self.scheme = scheme
    context =
      scheme.digest == nil ? nil : try KeyContext(key.handle, scheme: scheme, use: .sign)
  }

  /// The signature over `message`, in JOSE's form.
  package func sign(_ message: borrowing Span<UInt8>) throws(CryptoError) -> [UInt8] {
    guard let digest = scheme.digest, let context else { return try signWhole(message) }
    let hash = try digest.hash(message)
    let copy = unsafe try context.duplicate()
    defer { unsafe EVP_PKEY_CTX_free(copy) }
    var length = 0
    let measured = unsafe hash.withUnsafeBufferPointer {
      unsafe EVP_PKEY_sign(copy, nil, &length, $0.baseAddress, $0.count)
    }
    guard measured == 1 else { throw .library("EVP_PKEY_sign") }
    var signature = [UInt8](repeating: 0, count: length)
    let done = unsafe hash.withUnsafeBufferPointer { hash in
      unsafe signature.withUnsafeMutableBufferPointer { output in
        unsafe EVP_PKEY_sign(copy, output.baseAddress, &length, hash.baseAddress, hash.count)
      }
    }
    guard done == 1, length <= signature.count else {
      ERR_clear_error()
      throw .library("EVP_PKEY_sign")
    }
    signature.removeLast(signature.count - length)
    guard case .ecdsa(let curve, _) = scheme else { return signature }
    guard let raw = ECDSASignature.raw(from: signature, curve: curve) else {
      throw .library("EVP_PKEY_sign")
    }
    return raw
  }

  // EdDSA needs the whole message, since it hashes it twice (RFC 8032 section 5.1.6).
  private func signWhole(_ message: borrowing Span<UInt8>) throws(CryptoError) -> [UInt8] {
    guard case .eddsa(let curve) = scheme else { throw .library("EVP_DigestSign") }
    let context = unsafe EVP_MD_CTX_new()
    defer { unsafe EVP_MD_CTX_free(context) }
    var signature = [UInt8](repeating: 0, count: curve.signatureSize)
    var length = signature.count
    guard unsafe EVP_DigestSignInit_ex(context, nil, nil, nil, nil, key.pointer, nil) == 1 else {
      throw .library("EVP_DigestSignInit_ex")
    }
    let done = unsafe message.withUnsafeBufferPointer { input in
      unsafe signature.withUnsafeMutableBufferPointer { output in
        unsafe EVP_DigestSign(
          context, output.baseAddress, &length, input.baseAddress, input.count)
      }
    }
    guard done == 1, length == signature.count else { throw .library("EVP_DigestSign") }
    return signature
  }
}

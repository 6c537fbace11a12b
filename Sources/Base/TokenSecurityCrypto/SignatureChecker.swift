internal import CTokenSecurityOpenSSL

/// Checks signatures with one public key and one scheme. Threads can share it without waiting for one
/// another.
package final class SignatureChecker: Sendable {
  private let scheme: SignatureScheme
  /// The exact length of a signature in bytes.
  package let signatureSize: Int
  /// libcrypto's contexts; nil for a key of libsodium.
  private let slots: ContextSlots?
  #if Sodium
    private let sodiumKey: SodiumKey?
  #endif

  /// Prepares `key`. Throws `unsupportedKeyType` if it does not fit the scheme.
  package init(key: PublicKey, scheme: SignatureScheme) throws(CryptoError) {
    guard scheme.fits(key.components) else {
      throw .unsupportedKeyType("a key that does not fit the signature scheme")
    }
    self.scheme = scheme
    switch key.components {
    case .rsa(let modulus, _): signatureSize = modulus.count
    case .ellipticCurve(let curve, _, _): signatureSize = curve.coordinateSize * 2
    case .edwards(let curve, _): signatureSize = curve.signatureSize
    }
    #if Sodium
      if case .edwards(.ed25519, let bytes) = key.components {
        sodiumKey = try SodiumKey(bytes)
        slots = nil
        return
      }
      sodiumKey = nil
    #endif
    slots =
      if let digest = scheme.digest {
        try Self.digestSlots(key.handle, scheme, digest)
      } else {
        Self.wholeSlots(key.handle)
      }
  }

  /// True if `signature`, in JOSE's form, is valid for `message`. Throws `wrongLength` or `signatureRange`
  /// for bytes that cannot be a signature of this key.
  package func check(
    _ signature: borrowing Span<UInt8>, over message: borrowing Span<UInt8>
  ) throws(CryptoError) -> Bool {
    guard signature.count == signatureSize else {
      throw .wrongLength(expected: signatureSize, actual: signature.count)
    }
    switch scheme {
    case .rsaPKCS1(let digest), .rsaPSS(let digest):
      return try check(signature, digest, message)
    case .ecdsa(let curve, let digest):
      let der = try ECDSASignature.der(from: signature, curve: curve)
      return try check(der.span, digest, message)
    case .eddsa(let curve):
      guard curve != .ed25519 || Ed25519Encoding.isAcceptable(signature: signature) else { return false }
      #if Sodium
        if let sodiumKey { return sodiumKey.check(signature, over: message) }
      #endif
      return try checkWhole(signature, message)
    }
  }

  private func check(
    _ signature: borrowing Span<UInt8>, _ digest: DigestAlgorithm,
    _ message: borrowing Span<UInt8>
  ) throws(CryptoError) -> Bool {
    let result = unsafe signature.withUnsafeBufferPointer { signature in
      unsafe message.withUnsafeBufferPointer { message in
        unsafe slots?.withPair { pair -> Int32 in
          unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { hash -> Int32 in
            guard unsafe EVP_DigestInit_ex2(pair.scratch, nil, nil) == 1,
              unsafe EVP_DigestUpdate(pair.scratch, message.baseAddress, message.count) == 1,
              unsafe EVP_DigestFinal_ex(pair.scratch, hash.baseAddress, nil) == 1
            else { return Int32.min }
            return unsafe EVP_PKEY_verify(
              pair.key, signature.baseAddress, signature.count, hash.baseAddress, digest.size)
          }
        }
      }
    }
    return try verdict(result, "EVP_PKEY_verify")
  }

  private func checkWhole(
    _ signature: borrowing Span<UInt8>, _ message: borrowing Span<UInt8>
  ) throws(CryptoError) -> Bool {
    let result = unsafe signature.withUnsafeBufferPointer { signature in
      unsafe message.withUnsafeBufferPointer { message in
        unsafe slots?.withPair { pair -> Int32 in
          guard unsafe EVP_MD_CTX_copy_ex(pair.scratch, pair.key) == 1 else { return Int32.min }
          return unsafe EVP_DigestVerify(
            pair.scratch, signature.baseAddress, signature.count, message.baseAddress,
            message.count)
        }
      }
    }
    return try verdict(result, "EVP_DigestVerify")
  }

  // Every result but 1 is a refusal. libcrypto's error queue of the thread is cleared because it is never
  // read.
  private func verdict(_ result: Int32?, _ function: String) throws(CryptoError) -> Bool {
    guard let result, result != Int32.min else { throw .library(function) }
    if result != 1 { ERR_clear_error() }
    return result == 1
  }

  private static func digestSlots(
    _ key: KeyHandle, _ scheme: SignatureScheme, _ digest: DigestAlgorithm
  ) throws(CryptoError) -> ContextSlots {
    let context = try KeyContext(key, scheme: scheme, use: .verify)
    return unsafe ContextSlots {
      guard let copy = unsafe try? context.duplicate() else { return nil }
      let scratch = unsafe EVP_MD_CTX_new()
      guard unsafe EVP_DigestInit_ex2(scratch, digest.implementation, nil) == 1 else {
        unsafe EVP_PKEY_CTX_free(copy)
        unsafe EVP_MD_CTX_free(scratch)
        return nil
      }
      return unsafe ContextPair(key: copy, scratch: scratch)
    } discard: { pair in
      unsafe EVP_PKEY_CTX_free(pair.key)
      unsafe EVP_MD_CTX_free(pair.scratch)
    }
  }

  private static func wholeSlots(_ key: KeyHandle) -> ContextSlots {
    unsafe ContextSlots {
      guard let context = unsafe EVP_MD_CTX_new() else { return nil }
      guard unsafe EVP_DigestVerifyInit_ex(context, nil, nil, nil, nil, key.pointer, nil) == 1
      else {
        unsafe EVP_MD_CTX_free(context)
        return nil
      }
      return unsafe ContextPair(key: context, scratch: EVP_MD_CTX_new())
    } discard: { pair in
      unsafe EVP_MD_CTX_free(pair.key)
      unsafe EVP_MD_CTX_free(pair.scratch)
    }
  }
}

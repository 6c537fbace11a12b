internal import CTokenSecurityOpenSSL

/// The salt of an RSASSA-PSS signature (RFC 8017 section 9.1.2), for the explanation of a refusal.
///
/// RFC 7518 section 3.5 requires a salt of the digest's length. Some signers use the longest that fits.
package enum PSSSaltLength {
  /// The number of bytes of the salt of a signature that is valid but for this number; nil for other signatures. Costs one
  /// operation with the public key, and one more for a signature that the key's owner made.
  package static func find(
    _ key: PublicKey, _ digest: DigestAlgorithm, signature: borrowing Span<UInt8>,
    over message: borrowing Span<UInt8>
  ) throws(CryptoError) -> Int? {
    guard case .rsa(let modulus, _) = key.components, signature.count == modulus.count else { return nil }
    defer { ERR_clear_error() }
    let hash = try digest.hash(message)
    guard isValid(key, digest, signature, hash) else { return nil }
    guard let encoded = recover(key, signature) else { return nil }
    return try length(encoded, bits: modulus.bitCount - 1, digest)
  }

  /// True if the signature is valid with a salt of any length.
  private static func isValid(
    _ key: PublicKey, _ digest: DigestAlgorithm, _ signature: borrowing Span<UInt8>, _ hash: [UInt8]
  ) -> Bool {
    let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key.handle.pointer, nil)
    defer { unsafe EVP_PKEY_CTX_free(context) }
    guard unsafe EVP_PKEY_verify_init(context) == 1,
      unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1,
      unsafe EVP_PKEY_CTX_set_signature_md(context, digest.implementation) == 1,
      unsafe EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_AUTO) == 1
    else { return false }
    return unsafe signature.withUnsafeBufferPointer { signature in
      unsafe hash.withUnsafeBufferPointer { hash in
        unsafe EVP_PKEY_verify(context, signature.baseAddress, signature.count, hash.baseAddress, hash.count)
          == 1
      }
    }
  }

  /// The encoded message: the signature to the power of the public exponent.
  private static func recover(_ key: PublicKey, _ signature: borrowing Span<UInt8>) -> [UInt8]? {
    let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key.handle.pointer, nil)
    defer { unsafe EVP_PKEY_CTX_free(context) }
    guard unsafe EVP_PKEY_verify_recover_init(context) == 1,
      unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_NO_PADDING) == 1
    else { return nil }
    var encoded = [UInt8](repeating: 0, count: signature.count)
    var count = encoded.count
    let done = unsafe encoded.withUnsafeMutableBufferPointer { output in
      unsafe signature.withUnsafeBufferPointer { signature in
        unsafe EVP_PKEY_verify_recover(
          context, output.baseAddress, &count, signature.baseAddress, signature.count)
      }
    }
    return done == 1 && count == signature.count ? encoded : nil
  }

  /// The length of the salt in a valid encoded message of `bits` bits.
  private static func length(
    _ encoded: [UInt8], bits: Int, _ digest: DigestAlgorithm
  ) throws(CryptoError) -> Int? {
    let size = (bits + 7) / 8
    // A modulus of a whole number of bytes and one bit has a byte more than the message.
    let message = encoded.suffix(size)
    let maskedCount = size - digest.size - 1
    guard maskedCount > 0 else { return nil }
    let seed = message.dropFirst(maskedCount).prefix(digest.size)
    // MGF1 (RFC 8017 appendix B.2.1).
    var mask: [UInt8] = []
    var counter: UInt32 = 0
    while mask.count < maskedCount {
      let block = Array(seed) + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: counter >> $0) }
      mask += try digest.hash(block.span)
      counter += 1
    }
    var data = zip(message, mask).prefix(maskedCount).map { $0 ^ $1 }
    data[0] &= 0xFF >> UInt8(8 * size - bits)
    guard let mark = data.firstIndex(where: { $0 != 0 }), data[mark] == 1 else { return nil }
    return data.count - mark - 1
  }
}

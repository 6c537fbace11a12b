public import CryptoPrimitives
internal import Encodings

/// Secrets for HMAC that do not come as a JWK.
extension JWK {
  /// A key of `secret`, as bytes. Refuses PEM, DER, JWK and certificates: a public key that is taken for
  /// a secret lets everyone sign who knows it (RFC 8725 section 2.1). Its length is judged when it is
  /// used: at least that of the digest (RFC 7518 section 3.2).
  public init(
    secret: consuming SecretBytes, keyID: String? = nil, algorithm: Algorithm? = nil
  ) throws(JOSEError) {
    try HMACSecret.refuseKeyFiles(secret)
    self.init(
      material: .shared(SharedSecret(secret)), keyID: keyID, algorithmName: algorithm?.rawValue)
  }
}

enum HMACSecret {
  /// Refuses what is a key file and no secret.
  static func refuseKeyFiles(_ secret: borrowing SecretBytes) throws(JOSEError) {
    let looksLikeKeyFile = secret.withBytes { (bytes: borrowing Span<UInt8>) -> Bool in
      has(bytes, "-----BEGIN ") || startsWith(bytes, "ssh-") || startsWith(bytes, "ecdsa-sha2-")
        || has(bytes, "\"kty\"")
    }
    guard !looksLikeKeyFile, !isDER(secret) else { throw .hmacKeyIsKeyFile }
  }

  private static func startsWith(_ bytes: borrowing Span<UInt8>, _ text: String) -> Bool {
    guard bytes.count >= text.utf8.count else { return false }
    for (offset, character) in text.utf8.enumerated() where bytes[offset] != character {
      return false
    }
    return true
  }

  private static func has(_ bytes: borrowing Span<UInt8>, _ text: String) -> Bool {
    let text = Array(text.utf8)
    guard bytes.count >= text.count else { return false }
    search: for start in 0...(bytes.count - text.count) {
      for offset in text.indices where bytes[start + offset] != text[offset] { continue search }
      return true
    }
    return false
  }

  // A DER key is a SEQUENCE whose length is that of the text, and reads as one of the kinds that
  // there are. Random bytes do so once in far more than 2^64 times.
  private static func isDER(_ secret: borrowing SecretBytes) -> Bool {
    let isSequence = secret.withBytes { (bytes: borrowing Span<UInt8>) -> Bool in
      bytes.count >= 32 && bytes[0] == 0x30
    }
    return isSequence && KeyFile.isDER(secret)
  }
}

#if Sodium
  internal import CTokenSecuritySodium

  /// An Ed25519 public key for libsodium, which the trait `Sodium` uses because it verifies faster than
  /// libcrypto. It needs no context.
  struct SodiumKey: Sendable {
    private let bytes: [UInt8]

    private static let isReady = sodium_init() >= 0

    /// Takes the bytes of a key; there must be 32.
    init(_ bytes: [UInt8]) throws(CryptoError) {
      guard bytes.count == EdwardsCurve.ed25519.keySize else {
        throw .wrongLength(expected: EdwardsCurve.ed25519.keySize, actual: bytes.count)
      }
      guard Self.isReady else { throw .library("sodium_init") }
      self.bytes = bytes
    }

    /// True if `signature` has 64 bytes and is valid for `message`.
    func check(_ signature: borrowing Span<UInt8>, over message: borrowing Span<UInt8>) -> Bool {
      guard signature.count == EdwardsCurve.ed25519.signatureSize else { return false }
      // Safe: libsodium reads 64 bytes of the signature, checked above, 32 of the key, checked in `init`, and
      // the message's own size.
      let result = unsafe signature.withUnsafeBufferPointer { signature in
        unsafe message.withUnsafeBufferPointer { message in
          unsafe bytes.withUnsafeBufferPointer { key -> Int32 in
            guard let signature = signature.baseAddress, let key = key.baseAddress else { return -1 }
            return unsafe crypto_sign_verify_detached(
              signature, message.baseAddress, UInt64(message.count), key)
          }
        }
      }
      return result == 0
    }
  }
#endif

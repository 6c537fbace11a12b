#if Sodium
  internal import CTokenSecuritySodium

  /// An Ed25519 public key for libsodium, which the trait `Sodium` uses because it verifies faster than
  /// libcrypto. It needs no context.
  struct SodiumKey: Sendable {
    private let bytes: [UInt8]

    private static let isReady = sodium_init() >= 0

    /// Takes the 32 bytes of a key.
    init(_ bytes: [UInt8]) throws(CryptoError) {
      guard Self.isReady else { throw .library("sodium_init") }
      self.bytes = bytes
    }

    /// True if `signature`, which has 64 bytes, is valid for `message`.
    func check(_ signature: borrowing Span<UInt8>, over message: borrowing Span<UInt8>) -> Bool {
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

internal import CTokenSecurityOpenSSL

/// AES-256-GCM (NIST SP 800-38D) for short messages: a random nonce of 12 bytes, the ciphertext, a tag of 16
/// bytes.
///
/// With random nonces, one key may encrypt at most 2^32 messages (SP 800-38D section 8.3).
package struct AuthenticatedCipher: ~Copyable, Sendable {
  /// The length of a key in bytes.
  package static let keySize = 32
  /// The number of bytes that a sealed message is longer than the message.
  package static let overhead = nonceSize + tagSize

  private static let nonceSize = 12
  private static let tagSize = 16

  private static let algorithm = unsafe FetchedAlgorithm(EVP_CIPHER_fetch(nil, "AES-256-GCM", nil))

  private let key: SecretBytes

  /// A cipher with a key of 32 bytes.
  package init(key: borrowing SecretBytes) throws(CryptoError) {
    guard key.count == Self.keySize else { throw .wrongLength(expected: Self.keySize, actual: key.count) }
    self.key = key.clone()
  }

  /// Encrypts `message` and authenticates it together with `context`, which must be the same for
  /// ``open(_:context:)``.
  package borrowing func seal(
    _ message: borrowing SecretBytes, context: borrowing Span<UInt8>
  ) throws(CryptoError) -> [UInt8] {
    var sealed = [UInt8](repeating: 0, count: message.count + Self.overhead)
    let nonce = try Random.secretBytes(count: Self.nonceSize)
    nonce.withBytes { nonce in for index in nonce.indices { sealed[index] = nonce[index] } }
    let done = message.withBytes { message in
      unsafe run(context: context, sealing: true) { cipher, written in
        unsafe message.withUnsafeBufferPointer { input in
          unsafe sealed.withUnsafeMutableBufferPointer { output in
            guard let start = output.baseAddress else { return false }
            let tag = unsafe start + Self.nonceSize + input.count
            return unsafe EVP_CipherInit_ex2(cipher, nil, nil, start, 1, nil) == 1
              && Self.add(context, to: cipher)
              && EVP_CipherUpdate(
                cipher, start + Self.nonceSize, &written, input.baseAddress, Int32(input.count)) == 1
              && EVP_CipherFinal_ex(cipher, tag, &written) == 1
              && EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagSize), tag) == 1
          }
        }
      }
    }
    guard done else { throw .library("EVP_CipherFinal_ex") }
    return sealed
  }

  /// Decrypts a message that was sealed with this key and `context`; nil for any other bytes.
  package borrowing func open(
    _ sealed: borrowing Span<UInt8>, context: borrowing Span<UInt8>
  ) throws(CryptoError) -> SecretBytes? {
    guard sealed.count >= Self.overhead else { return nil }
    let count = sealed.count - Self.overhead
    var isGenuine = false
    let message = try SecretBytes(count: count) { span throws(CryptoError) in
      isGenuine = unsafe run(context: context, sealing: false) { cipher, written in
        unsafe sealed.withUnsafeBufferPointer { input in
          unsafe span.withUnsafeMutableBufferPointer { output in
            guard let start = input.baseAddress else { return false }
            let tag = unsafe UnsafeMutablePointer(mutating: start + Self.nonceSize + count)
            var none: UInt8 = 0
            return unsafe EVP_CipherInit_ex2(cipher, nil, nil, start, 0, nil) == 1
              && Self.add(context, to: cipher)
              && EVP_CipherUpdate(
                cipher, output.baseAddress, &written, start + Self.nonceSize, Int32(count)) == 1
              && EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagSize), tag) == 1
              && EVP_CipherFinal_ex(cipher, &none, &written) == 1
          }
        }
      }
    }
    guard isGenuine else { return nil }
    return message
  }

  private static func add(_ context: borrowing Span<UInt8>, to cipher: OpaquePointer) -> Bool {
    guard context.count > 0 else { return true }
    var written: Int32 = 0
    return unsafe context.withUnsafeBufferPointer {
      unsafe EVP_CipherUpdate(cipher, nil, &written, $0.baseAddress, Int32($0.count)) == 1
    }
  }

  private borrowing func run(
    context: borrowing Span<UInt8>, sealing: Bool, _ body: (OpaquePointer, inout Int32) -> Bool
  ) -> Bool {
    guard let cipher = unsafe EVP_CIPHER_CTX_new() else { return false }
    defer { unsafe EVP_CIPHER_CTX_free(cipher) }
    let keyed = key.withBytes { key in
      unsafe key.withUnsafeBufferPointer {
        unsafe EVP_CipherInit_ex2(
          cipher, Self.algorithm.pointer, $0.baseAddress, nil, sealing ? 1 : 0, nil)
      }
    }
    guard keyed == 1 else { return false }
    var written: Int32 = 0
    return unsafe body(cipher, &written)
  }
}

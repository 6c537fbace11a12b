internal import CTokenSecurityOpenSSL
internal import TokenSecurityBase

/// HMAC (RFC 2104) with one key and one digest. Threads can share it without waiting for one another.
package final class MessageAuthenticator: Sendable {
  /// The digest.
  package let digest: DigestAlgorithm
  private let slots: ContextSlots

  /// Prepares `key`.
  package init(key: borrowing SecretBytes, digest: DigestAlgorithm) throws(CryptoError) {
    self.digest = digest
    let template = try KeyedTemplate(key: key, digest: digest)
    slots = unsafe ContextSlots {
      unsafe template.duplicate().map { unsafe ContextPair(key: $0, scratch: nil) }
    } discard: { pair in
      unsafe EVP_MAC_CTX_free(pair.key)
    }
  }

  /// The code over `message`.
  package func authenticate(_ message: borrowing Span<UInt8>) throws(CryptoError) -> [UInt8] {
    var code = [UInt8](zeros: digest.size)
    var span = code.mutableSpan
    try authenticate(message, into: &span)
    return code
  }

  /// The code over `message`, as a secret: for codes that are keys.
  package func authenticateSecretly(
    _ message: borrowing Span<UInt8>
  ) throws(CryptoError) -> SecretBytes {
    try SecretBytes(count: digest.size) { code throws(CryptoError) in try authenticate(message, into: &code) }
  }

  @inline(__always)
  private func authenticate(
    _ message: borrowing Span<UInt8>, into code: inout MutableSpan<UInt8>
  ) throws(CryptoError) {
    let done = unsafe message.withUnsafeBufferPointer { message in
      unsafe code.withUnsafeMutableBufferPointer { code in
        unsafe slots.withPair { pair in unsafe Self.run(pair.key, message, code) }
      }
    }
    guard done == true else { throw .library("EVP_MAC_final") }
  }

  /// Calls `body` with the code over the eight bytes of `counter`, big-endian, and wipes the code afterwards.
  package func withCode<Result>(
    over counter: UInt64, _ body: (borrowing Span<UInt8>) -> Result
  ) throws(CryptoError) -> Result {
    let size = digest.size
    let result = unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 72) { memory -> Result? in
      let message = unsafe UnsafeMutableBufferPointer(rebasing: memory[64...])
      for index in 0..<8 {
        unsafe message[index] = UInt8(truncatingIfNeeded: counter >> UInt64(56 - 8 * index))
      }
      let code = unsafe UnsafeMutableBufferPointer(rebasing: memory[..<size])
      let done = unsafe slots.withPair { pair in unsafe Self.run(pair.key, UnsafeBufferPointer(message), code)
      }
      guard done == true else { return nil }
      let result = unsafe body(Span(_unsafeElements: UnsafeBufferPointer(code)))
      unsafe OPENSSL_cleanse(code.baseAddress, size)
      return result
    }
    guard let result else { throw .library("EVP_MAC_final") }
    return result
  }

  /// True if `code` is the code over `message`; compared in constant time.
  package func check(
    _ code: borrowing Span<UInt8>, over message: borrowing Span<UInt8>
  ) throws(CryptoError) -> Bool {
    guard code.count == digest.size else {
      throw .wrongLength(expected: digest.size, actual: code.count)
    }
    let size = digest.size
    let result = unsafe message.withUnsafeBufferPointer { message in
      unsafe code.withUnsafeBufferPointer { code in
        unsafe slots.withPair { pair -> Int32 in
          unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { expected -> Int32 in
            let output = unsafe UnsafeMutableBufferPointer(rebasing: expected[..<size])
            guard unsafe Self.run(pair.key, message, output) else { return Int32.min }
            let difference = unsafe CRYPTO_memcmp(output.baseAddress, code.baseAddress, size)
            // The correct code for a forged message must not remain on the stack.
            unsafe OPENSSL_cleanse(output.baseAddress, size)
            return Declassification.of(difference)
          }
        }
      }
    }
    guard let result, result != Int32.min else { throw .library("EVP_MAC_final") }
    return result == 0
  }

  @inline(__always)
  private static func run(
    _ context: OpaquePointer, _ message: UnsafeBufferPointer<UInt8>,
    _ output: UnsafeMutableBufferPointer<UInt8>
  ) -> Bool {
    var length = 0
    return unsafe EVP_MAC_init(context, nil, 0, nil) == 1
      && EVP_MAC_update(context, message.baseAddress, message.count) == 1
      && EVP_MAC_final(context, output.baseAddress, &length, output.count) == 1
  }
}

/// A keyed context that is only copied.
@safe
private final class KeyedTemplate: @unchecked Sendable {
  private let pointer: OpaquePointer

  private static let hmac = unsafe FetchedAlgorithm(EVP_MAC_fetch(nil, "HMAC", nil))

  init(key: borrowing SecretBytes, digest: DigestAlgorithm) throws(CryptoError) {
    guard let context = unsafe EVP_MAC_CTX_new(Self.hmac.pointer) else { throw .library("EVP_MAC_CTX_new") }
    let parameter: StaticString = "digest"
    let keyed = key.withBytes { key in
      unsafe key.withUnsafeBufferPointer { key in
        var parameters = unsafe [
          OSSL_PARAM_construct_utf8_string(
            parameter.address, UnsafeMutablePointer(mutating: digest.name.address), 0),
          OSSL_PARAM_construct_end(),
        ]
        // An empty key needs an address too: for a null pointer libcrypto keeps the previous key.
        let none: UInt8 = 0
        return unsafe withUnsafePointer(to: none) { none in
          unsafe EVP_MAC_init(context, key.baseAddress ?? none, key.count, &parameters)
        }
      }
    }
    guard keyed == 1 else {
      unsafe EVP_MAC_CTX_free(context)
      throw .library("EVP_MAC_init")
    }
    unsafe pointer = unsafe context
  }

  deinit {
    unsafe EVP_MAC_CTX_free(pointer)
  }

  func duplicate() -> OpaquePointer? {
    unsafe EVP_MAC_CTX_dup(pointer)
  }
}

internal import CTokenSecurityOpenSSL

/// A digest over bytes in several parts.
@safe
package struct RunningDigest: ~Copyable, @unchecked Sendable {
  private let algorithm: DigestAlgorithm
  private let context: OpaquePointer

  /// An empty digest.
  package init(_ algorithm: DigestAlgorithm) throws(CryptoError) {
    guard let context = unsafe EVP_MD_CTX_new() else { throw .library("EVP_MD_CTX_new") }
    guard unsafe EVP_DigestInit_ex2(context, algorithm.implementation, nil) == 1 else {
      unsafe EVP_MD_CTX_free(context)
      throw .library("EVP_DigestInit_ex2")
    }
    self.algorithm = algorithm
    unsafe self.context = unsafe context
  }

  deinit {
    unsafe EVP_MD_CTX_free(context)
  }

  /// Adds bytes.
  package mutating func update(_ bytes: borrowing Span<UInt8>) throws(CryptoError) {
    let done = unsafe bytes.withUnsafeBufferPointer {
      unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count)
    }
    guard done == 1 else { throw .library("EVP_DigestUpdate") }
  }

  /// Adds an array.
  package mutating func update(_ bytes: [UInt8]) throws(CryptoError) {
    let span = bytes.span
    try update(span)
  }

  /// Adds the secret bytes from `start` on. The value of `start` may be secret.
  package mutating func update(_ secret: borrowing SecretBytes, from start: Int = 0) throws(CryptoError) {
    let done = secret.withBytes { bytes in
      // No bounds check: it would branch on the secret index.
      unsafe bytes.withUnsafeBufferPointer { bytes -> Int32 in
        guard let address = bytes.baseAddress else { return 1 }
        return unsafe EVP_DigestUpdate(context, address + start, bytes.count &- start)
      }
    }
    guard done == 1 else { throw .library("EVP_DigestUpdate") }
  }

  /// Returns the digest as a secret and starts a new one.
  package mutating func finishSecretly() throws(CryptoError) -> SecretBytes {
    try SecretBytes(count: algorithm.size) { span throws(CryptoError) in try finish(into: &span) }
  }

  /// Returns the digest and starts a new one.
  package mutating func finish() throws(CryptoError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: algorithm.size)
    var span = digest.mutableSpan
    try finish(into: &span)
    return digest
  }

  private func finish(into digest: inout MutableSpan<UInt8>) throws(CryptoError) {
    let done = unsafe digest.withUnsafeMutableBufferPointer {
      unsafe EVP_DigestFinal_ex(context, $0.baseAddress, nil)
    }
    guard done == 1, unsafe EVP_DigestInit_ex2(context, nil, nil) == 1 else {
      throw .library("EVP_DigestFinal_ex")
    }
  }
}

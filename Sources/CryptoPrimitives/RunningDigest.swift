internal import COpenSSL

/// A digest over bytes that come in pieces.
@safe
package struct RunningDigest: ~Copyable, @unchecked Sendable {
  private let algorithm: DigestAlgorithm
  private let context: OpaquePointer

  /// Starts with nothing read.
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

  /// Reads on.
  package mutating func update(_ bytes: borrowing Span<UInt8>) throws(CryptoError) {
    let done = unsafe bytes.withUnsafeBufferPointer {
      unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count)
    }
    guard done == 1 else { throw .library("EVP_DigestUpdate") }
  }

  /// The digest of all that was read; starts anew with nothing read.
  package mutating func finish() throws(CryptoError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: algorithm.size)
    let done = unsafe digest.withUnsafeMutableBufferPointer {
      unsafe EVP_DigestFinal_ex(context, $0.baseAddress, nil)
    }
    guard done == 1, unsafe EVP_DigestInit_ex2(context, nil, nil) == 1 else {
      throw .library("EVP_DigestFinal_ex")
    }
    return digest
  }
}

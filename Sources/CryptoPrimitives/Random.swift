internal import COpenSSL

/// libcrypto's generator of random numbers.
package enum Random {
  /// Fills `span` with random bytes. Throws `library` where the system has no entropy to give.
  package static func fill(_ span: inout MutableSpan<UInt8>) throws(CryptoError) {
    let filled = unsafe span.withUnsafeMutableBytes { buffer in
      unsafe RAND_bytes(buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(buffer.count))
    }
    guard filled == 1 else { throw .library("RAND_bytes") }
  }
}

internal import CTokenSecurityOpenSSL

/// libcrypto's random number generator.
package enum Random {
  /// Fills `span` with random bytes. Throws `library` if the system has no entropy.
  package static func fill(_ span: inout MutableSpan<UInt8>) throws(CryptoError) {
    let filled = unsafe span.withUnsafeMutableBytes { buffer in
      unsafe RAND_bytes(buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(buffer.count))
    }
    guard filled == 1 else { throw .library("RAND_bytes") }
  }

  /// `count` secret random bytes.
  package static func secretBytes(count: Int) throws(CryptoError) -> SecretBytes {
    try SecretBytes(count: count) { span throws(CryptoError) in try fill(&span) }
  }

  /// `count` public random bytes, for a salt or a name.
  package static func publicBytes(count: Int) throws(CryptoError) -> [UInt8] {
    try secretBytes(count: count).withBytes { Declassification.of([UInt8](unwipedCopy: $0)) }
  }
}

#if XXHash
  internal import CTokenSecurityXXHash
#endif
internal import TokenSecurityBase

/// A hash of xxHash (version 0.8) with the seed 0, over bytes in several parts. It detects accidents, and no
/// attack. Its bytes are those of libxxhash's canonical form: the highest first.
///
/// libxxhash is linked only with the package's trait `XXHash`. Without it there are no hashes.
@safe
package struct RunningXXHash: ~Copyable, @unchecked Sendable {
  /// The functions of xxHash.
  package enum Algorithm: Sendable, Hashable, CaseIterable {
    case xxhash64
    case xxhash3
    case xxhash128

    /// The length of a hash in bytes.
    package var size: Int { self == .xxhash128 ? 16 : 8 }
  }

  #if XXHash
    private let algorithm: Algorithm
    private let state: OpaquePointer

    /// Whether this build has libxxhash.
    package static var isAvailable: Bool { true }

    /// An empty hash; nil without memory.
    package init?(_ algorithm: Algorithm) {
      let created = unsafe algorithm == .xxhash64 ? XXH64_createState() : XXH3_createState()
      guard let created = unsafe created else { return nil }
      self.algorithm = algorithm
      unsafe state = unsafe created
      switch algorithm {
      case .xxhash64: _ = unsafe XXH64_reset(state, 0)
      case .xxhash3: _ = unsafe XXH3_64bits_reset(state)
      case .xxhash128: _ = unsafe XXH3_128bits_reset(state)
      }
    }

    deinit {
      _ = algorithm == .xxhash64 ? unsafe XXH64_freeState(state) : unsafe XXH3_freeState(state)
    }

    /// Adds bytes.
    package mutating func update(_ bytes: borrowing Span<UInt8>) throws(CryptoError) {
      // Safe: libxxhash reads the span's own size.
      let result = unsafe bytes.withUnsafeBufferPointer { input in
        switch algorithm {
        case .xxhash64: unsafe XXH64_update(state, input.baseAddress, input.count)
        case .xxhash3: unsafe XXH3_64bits_update(state, input.baseAddress, input.count)
        case .xxhash128: unsafe XXH3_128bits_update(state, input.baseAddress, input.count)
        }
      }
      guard result == XXH_OK || bytes.count == 0 else { throw .library("XXH_update") }
    }

    /// The hash of all bytes so far.
    package borrowing func finish() -> [UInt8] {
      let words: [UInt64]
      switch algorithm {
      case .xxhash64: words = [unsafe XXH64_digest(state)]
      case .xxhash3: words = [unsafe XXH3_64bits_digest(state)]
      case .xxhash128:
        let hash = unsafe XXH3_128bits_digest(state)
        words = [hash.high64, hash.low64]
      }
      var bytes: [UInt8] = []
      for word in words { bytes.append(bigEndian: word) }
      return bytes
    }
  #else
    /// Whether this build has libxxhash.
    package static var isAvailable: Bool { false }

    /// Nil: this build has no libxxhash.
    package init?(_ algorithm: Algorithm) { return nil }

    /// Never called.
    package mutating func update(_ bytes: borrowing Span<UInt8>) throws(CryptoError) {}

    /// Never called.
    package borrowing func finish() -> [UInt8] { [] }
  #endif
}

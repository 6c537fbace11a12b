internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// A checksum of bytes that arrive in pieces.
struct RunningChecksum: ~Copyable, Sendable {
  private var check: CyclicRedundancyCheck?
  private var digest: RunningDigest?
  private var xxHash: RunningXXHash?

  /// - Throws: `xxHashTraitMissing` for a checksum that this build cannot compute.
  init(_ algorithm: ChecksumAlgorithm) throws(SigV4Error) {
    check = nil
    digest = nil
    xxHash = nil
    switch algorithm {
    case .crc32: check = CyclicRedundancyCheck(.crc32)
    case .crc32c: check = CyclicRedundancyCheck(.crc32c)
    case .crc64NVMe: check = CyclicRedundancyCheck(.crc64NVMe)
    case .sha1: digest = try SigV4Error.running(.sha1)
    case .sha256: digest = try SigV4Error.running(.sha256)
    case .sha512: digest = try SigV4Error.running(.sha512)
    case .md5: digest = try SigV4Error.running(.md5)
    case .xxhash64: xxHash = try Self.xxHash(.xxhash64, for: algorithm)
    case .xxhash3: xxHash = try Self.xxHash(.xxhash3, for: algorithm)
    case .xxhash128: xxHash = try Self.xxHash(.xxhash128, for: algorithm)
    }
  }

  private static func xxHash(
    _ function: RunningXXHash.Algorithm, for algorithm: ChecksumAlgorithm
  ) throws(SigV4Error) -> RunningXXHash {
    guard RunningXXHash.isAvailable else { throw .xxHashTraitMissing(algorithm.headerName) }
    guard let hash = RunningXXHash(function) else { throw .library("XXH_createState") }
    return hash
  }

  /// A checksum for an algorithm, or nil for nil.
  static func started(_ algorithm: ChecksumAlgorithm?) throws(SigV4Error) -> RunningChecksum? {
    guard let algorithm else { return nil }
    return try RunningChecksum(algorithm)
  }

  mutating func update(_ bytes: borrowing Span<UInt8>) throws(SigV4Error) {
    check?.update(bytes)
    do {
      try digest?.update(bytes)
      try xxHash?.update(bytes)
    } catch {
      throw SigV4Error(error)
    }
  }

  /// The checksum in base64.
  mutating func finish() throws(SigV4Error) -> String {
    if let check { return Base64.string(check.bytes) }
    if let hash = xxHash?.finish() { return Base64.string(hash) }
    do { return Base64.string(try digest?.finish() ?? []) } catch { throw SigV4Error(error) }
  }
}

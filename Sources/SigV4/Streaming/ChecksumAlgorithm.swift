internal import TokenSecurityCrypto
public import TokenSecurityEncodings

/// The checksums that S3 accepts in a trailer after the body.
public enum ChecksumAlgorithm: ExactString, Sendable, Hashable, CaseIterable {
  case crc32
  case crc32c
  case crc64NVMe = "crc64nvme"
  case sha1
  case sha256

  /// The trailer's name, `x-amz-checksum-crc32` for example.
  public var headerName: String { "x-amz-checksum-" + name }

  /// The length of the checksum in bytes; it is sent in base64.
  public var size: Int {
    switch self {
    case .crc32, .crc32c: 4
    case .crc64NVMe: 8
    case .sha1: 20
    case .sha256: 32
    }
  }

  init?(headerName: String) {
    guard let found = Self.allCases.first(where: { $0.headerName == headerName }) else { return nil }
    self = found
  }
}

/// A checksum of bytes that arrive in pieces.
struct RunningChecksum: ~Copyable, Sendable {
  private var check: CyclicRedundancyCheck?
  private var digest: RunningDigest?

  init(_ algorithm: ChecksumAlgorithm) throws(SigV4Error) {
    check =
      switch algorithm {
      case .crc32: CyclicRedundancyCheck(.crc32)
      case .crc32c: CyclicRedundancyCheck(.crc32c)
      case .crc64NVMe: CyclicRedundancyCheck(.crc64NVMe)
      case .sha1, .sha256: nil
      }
    digest =
      switch algorithm {
      case .crc32, .crc32c, .crc64NVMe: nil
      case .sha1: try SigV4Error.running(.sha1)
      case .sha256: try SigV4Error.running(.sha256)
      }
  }

  /// A checksum for an algorithm, or nil for nil.
  static func started(_ algorithm: ChecksumAlgorithm?) throws(SigV4Error) -> RunningChecksum? {
    guard let algorithm else { return nil }
    return try RunningChecksum(algorithm)
  }

  mutating func update(_ bytes: borrowing Span<UInt8>) throws(SigV4Error) {
    check?.update(bytes)
    do { try digest?.update(bytes) } catch { throw SigV4Error(error) }
  }

  /// The checksum in base64.
  mutating func finish() throws(SigV4Error) -> String {
    if let check { return Base64.string(check.bytes) }
    do { return Base64.string(try digest?.finish() ?? []) } catch { throw SigV4Error(error) }
  }
}

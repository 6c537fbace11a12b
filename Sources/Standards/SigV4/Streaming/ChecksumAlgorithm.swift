public import TokenSecurityBase

/// The checksums that S3 accepts in a header, or in a trailer after the body: five of before 2026, and five
/// that S3 has had since April 2026.
public enum ChecksumAlgorithm: ExactString, Sendable, Hashable, CaseIterable {
  case crc32
  case crc32c
  case crc64NVMe = "crc64nvme"
  case sha1
  case sha256
  case sha512
  case md5
  /// XXH64 with the seed 0, its highest byte first, like the next two. They need the package's trait `XXHash`.
  case xxhash64
  /// XXH3 of 64 bits.
  case xxhash3
  /// XXH3 of 128 bits.
  case xxhash128

  /// The name of the header and of the trailer, `x-amz-checksum-crc32` for example.
  public var headerName: String { "x-amz-checksum-" + name }

  /// The length of the checksum in bytes; it is sent in base64.
  public var size: Int {
    switch self {
    case .crc32, .crc32c: 4
    case .crc64NVMe, .xxhash64, .xxhash3: 8
    case .md5, .xxhash128: 16
    case .sha1: 20
    case .sha256: 32
    case .sha512: 64
    }
  }

  /// Whether nobody can make two bodies with one checksum.
  var bindsBody: Bool {
    switch self {
    case .sha256, .sha512: true
    case .crc32, .crc32c, .crc64NVMe, .sha1, .md5, .xxhash64, .xxhash3, .xxhash128: false
    }
  }

  init?(headerName: String) {
    guard let found = Self.allCases.first(where: { $0.headerName == headerName }) else { return nil }
    self = found
  }
}

/// A cyclic redundancy check of uploads, which detects transmission errors, not attacks.
///
/// All kinds are reflected, with an initial value of ones and an inverted result; they differ in width and
/// polynomial.
package struct CyclicRedundancyCheck: Sendable {
  /// The kinds of checks.
  package enum Kind: Sendable, Hashable, CaseIterable {
    /// CRC-32/ISO-HDLC, of Ethernet, zip and event streams.
    case crc32
    /// CRC-32C (RFC 3720 appendix B.4, Castagnoli).
    case crc32c
    /// CRC-64/NVME (NVM Express, NVM Command Set 1.0c, section 5.2.1.3.4).
    case crc64NVMe

    /// The length of the value in bytes.
    package var size: Int { self == .crc64NVMe ? 8 : 4 }

    fileprivate var ones: UInt64 { self == .crc64NVMe ? .max : 0xFFFF_FFFF }

    fileprivate var table: [UInt64] {
      switch self {
      case .crc32: CRCTables.crc32
      case .crc32c: CRCTables.crc32c
      case .crc64NVMe: CRCTables.crc64NVMe
      }
    }
  }

  private let kind: Kind
  private let table: [UInt64]
  private var state: UInt64

  /// A check over no bytes.
  package init(_ kind: Kind) {
    self.kind = kind
    table = kind.table
    state = kind.ones
  }

  /// Adds bytes.
  package mutating func update(_ bytes: borrowing Span<UInt8>) {
    let tables = table
    let table = tables.span
    var state = state
    var index = 0
    // Slicing by eight (Kounavis and Berry): eight bytes a step, each with its own table.
    while index &+ 8 <= bytes.count {
      let word = ByteWords.load(bytes, at: index) ^ state
      var next: UInt64 = 0
      for position in 0..<8 {
        let byte = Int(truncatingIfNeeded: word >> UInt64(position * 8) & 0xFF)
        next ^= table[(7 - position) * 256 + byte]
      }
      state = next
      index &+= 8
    }
    while index < bytes.count {
      state = table[Int(truncatingIfNeeded: (state ^ UInt64(bytes[index])) & 0xFF)] ^ state >> 8
      index &+= 1
    }
    self.state = state
  }

  /// The value as a number.
  package var value: UInt64 { state ^ kind.ones }

  /// The value, big-endian.
  package var bytes: [UInt8] {
    (0..<kind.size).map { UInt8(truncatingIfNeeded: value >> UInt64((kind.size - 1 - $0) * 8)) }
  }

  /// The value for `bytes`.
  package static func of(_ bytes: borrowing Span<UInt8>, _ kind: Kind) -> UInt64 {
    var check = CyclicRedundancyCheck(kind)
    check.update(bytes)
    return check.value
  }
}

/// Eight tables of 256 entries for each kind: entry b of table k is the effect of byte b followed by k zero
/// bytes.
private enum CRCTables {
  // The polynomials, reflected.
  static let crc32 = make(0xEDB8_8320)
  static let crc32c = make(0x82F6_3B78)
  static let crc64NVMe = make(0x9A6C_9329_AC4B_C9B5)

  private static func make(_ polynomial: UInt64) -> [UInt64] {
    var table = (0..<256).map { (byte: Int) -> UInt64 in
      var value = UInt64(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ polynomial : value >> 1 }
      return value
    }
    for index in 256..<2_048 {
      let before = table[index - 256]
      table.append(table[Int(before & 0xFF)] ^ before >> 8)
    }
    return table
  }
}

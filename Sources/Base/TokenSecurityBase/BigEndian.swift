extension FixedWidthInteger {
  /// The integer with these bytes, the most significant one first.
  @inlinable
  package init(bigEndianBytes bytes: some Sequence<UInt8>) {
    self = bytes.reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
  }
}

extension [UInt8] {
  /// Appends an integer, its most significant byte first.
  @inlinable
  package mutating func append(bigEndian value: some FixedWidthInteger) {
    for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  /// Appends a part of a message, preceded by its length in eight bytes: different parts never give the same
  /// message.
  @inlinable
  package mutating func append(counted part: some Collection<UInt8>) {
    append(bigEndian: UInt64(part.count))
    append(contentsOf: part)
  }
}

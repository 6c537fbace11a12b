internal import TokenSecurityBase
public import TokenSecurityCrypto

extension QRCode {
  /// The code as an uncompressed PNG (ISO/IEC 15948) with one bit per pixel.
  ///
  /// - Parameter scale: pixels per side of a square, 1 to 64.
  /// - Returns: the file.
  public borrowing func png(scale: Int = 8) -> SecretBytes {
    let scale = min(max(scale, 1), 64)
    let size = (side + 2 * Self.margin) * scale
    let stride = (size + 7) / 8
    var rows: [UInt8] = []
    rows.reserveCapacity((stride + 1) * size)
    for row in -Self.margin..<(side + Self.margin) {
      // Filter 0; a set bit is light.
      var line = [0] + [UInt8](repeating: 0, count: stride)
      for dot in 0..<size where !isDark(row, dot / scale - Self.margin) {
        line[1 + dot / 8] |= 0x80 >> UInt8(dot % 8)
      }
      for _ in 0..<scale { rows += line }
    }
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    // Width, height, one bit of grey; default compression and filter, no interlacing.
    Self.append("IHDR", Self.bigEndian(size) + Self.bigEndian(size) + [1, 0, 0, 0, 0], to: &file)
    Self.append("IDAT", Self.stored(rows), to: &file)
    Self.append("IEND", [], to: &file)
    for index in rows.indices { rows[index] = 0 }
    return SecretBytes(wiping: &file)
  }

  /// A zlib stream (RFC 1950) of stored blocks (RFC 1951 section 3.2.4).
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var start = 0
    while start < bytes.count {
      let end = min(start + 65_535, bytes.count)
      let count = UInt16(end - start)
      stream.append(end == bytes.count ? 1 : 0)
      for word in [count, ~count] {
        stream.append(UInt8(truncatingIfNeeded: word))
        stream.append(UInt8(truncatingIfNeeded: word >> 8))
      }
      stream += bytes[start..<end]
      start = end
    }
    return stream + bigEndian(adler32(bytes))
  }

  /// The checksum of RFC 1950 section 8.2.
  private static func adler32(_ bytes: [UInt8]) -> Int {
    var low = 1
    var high = 0
    for byte in bytes {
      low = (low + Int(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return high << 16 | low
  }

  private static func append(_ name: StaticString, _ content: [UInt8], to file: inout [UInt8]) {
    var chunk: [UInt8] = []
    chunk.append(name)
    chunk += content
    var checksum = CyclicRedundancyCheck(.crc32)
    checksum.update(chunk.span)
    file += bigEndian(content.count) + chunk + checksum.bytes
  }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
  }
}

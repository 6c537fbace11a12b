internal import TokenSecurityEncodings

extension HTTPURL {
  /// The path after RFC 3986 section 6.2.2: escapes in upper case, unreserved characters not escaped, dot
  /// segments removed. Equivalent paths are equal byte for byte.
  package var normalizedPath: String {
    var segments: [ArraySlice<UInt8>] = []
    let bytes = Self.unescaped(Array(path.utf8))
    // The path begins with a slash, so that the first part is empty.
    let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      switch Array(part) {
      case Array(".".utf8): if isLast { segments.append([]) }
      case Array("..".utf8):
        _ = segments.popLast()
        if isLast { segments.append([]) }
      default: segments.append(part)
      }
    }
    return "/" + String(decoding: Array(segments.joined(separator: [UInt8(ascii: "/")])), as: UTF8.self)
  }

  private static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2])
      else {
        result.append(bytes[index])
        index += 1
        continue
      }
      let value = high << 4 | low
      if isUnreserved(value) {
        result.append(value)
      } else {
        result += [UInt8(ascii: "%"), upper(bytes[index + 1]), upper(bytes[index + 2])]
      }
      index += 3
    }
    return result
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }

  private static func upper(_ byte: UInt8) -> UInt8 { (0x61...0x66).contains(byte) ? byte - 0x20 : byte }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: false
    }
  }
}

internal import TokenSecurityBase

extension HTTPURL {
  /// The path after RFC 3986 section 6.2.2: escapes in upper case, unreserved characters not escaped, dot
  /// segments removed. Equivalent paths are equal byte for byte.
  package var normalizedPath: String {
    var segments: [ArraySlice<UInt8>] = []
    let bytes = Self.unescaped(Array(path.utf8))
    // The path begins with a slash, so the first part is empty.
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
      guard let value = PercentEncoding.byte(bytes.span, at: index) else {
        result.append(bytes[index])
        index += 1
        continue
      }
      if PercentEncoding.isUnreserved(value) {
        result.append(value)
      } else {
        PercentEncoding.append(triple: value, to: &result)
      }
      index += 3
    }
    return result
  }
}

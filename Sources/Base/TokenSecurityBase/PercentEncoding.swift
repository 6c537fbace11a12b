/// Percent-encoding (RFC 3986 section 2.1) of all but unreserved characters, with upper-case digits, as RFC
/// 3986 section 6.2.2 recommends and signatures over URIs require.
package enum PercentEncoding {
  /// True if `byte` is an unreserved character (RFC 3986 section 2.3): letters, digits, `-`, `.`, `_`, `~`.
  @inline(__always)
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    // One bit for each of the 128 characters of ASCII.
    let low: UInt64 = 0x03FF_6000_0000_0000
    let high: UInt64 = 0x47FF_FFFE_87FF_FFFE
    return byte < 64 ? low >> UInt64(byte) & 1 == 1 : byte < 128 && high >> UInt64(byte & 63) & 1 == 1
  }

  /// Appends `bytes` to `output` and encodes those that are not unreserved. `keepingSlashes` leaves `/`
  /// unencoded.
  package static func append(
    _ bytes: borrowing Span<UInt8>, keepingSlashes: Bool, to output: inout [UInt8]
  ) {
    append(bytes, in: bytes.indices, keepingSlashes: keepingSlashes, to: &output)
  }

  /// Encodes a range of `bytes`.
  package static func append(
    _ bytes: borrowing Span<UInt8>, in range: Range<Int>, keepingSlashes: Bool, to output: inout [UInt8]
  ) {
    // Most bytes need no encoding and are copied in runs.
    var start = range.lowerBound
    for index in range {
      let byte = bytes[index]
      if isUnreserved(byte) || (keepingSlashes && byte == UInt8(ascii: "/")) { continue }
      output.append(copying: bytes.extracting(start..<index))
      append(triple: byte, to: &output)
      start = index + 1
    }
    output.append(copying: bytes.extracting(start..<range.upperBound))
  }

  /// Appends `%` and two digits.
  package static func append(triple byte: UInt8, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "%"))
    output.append(digit(byte >> 4))
    output.append(digit(byte & 0x0F))
  }

  /// The byte that the three characters at `index` encode; nil if they are not `%` and two digits.
  package static func byte(_ bytes: borrowing Span<UInt8>, at index: Int) -> UInt8? {
    guard index + 2 < bytes.count, bytes[index] == UInt8(ascii: "%"), let high = Hex.value(bytes[index + 1]),
      let low = Hex.value(bytes[index + 2])
    else { return nil }
    return high << 4 | low
  }

  /// The index of the first `%` that is not followed by two digits, or nil.
  package static func firstMalformed(_ bytes: borrowing Span<UInt8>) -> Int? {
    var from = 0
    while let index = ByteSearch.firstIndex(of: UInt8(ascii: "%"), in: bytes, from: from) {
      guard byte(bytes, at: index) != nil else { return index }
      from = index + 3
    }
    return nil
  }

  /// Decodes `bytes`. A `%` without two digits is kept.
  package static func decode(_ bytes: borrowing Span<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if let byte = byte(bytes, at: index) {
        output.append(byte)
        index += 3
      } else {
        output.append(bytes[index])
        index += 1
      }
    }
    return output
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}

extension [UInt8] {
  /// Appends the bytes of `span`.
  package mutating func append(copying span: borrowing Span<UInt8>) {
    unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// Appends the UTF-8 of `text`.
  package mutating func append(_ text: String) { append(copying: text.utf8.span) }

  /// Appends a constant text.
  package mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { unsafe append(contentsOf: $0) }
  }

  /// Appends two lower-case digits for each of `bytes`.
  package mutating func append(hex bytes: borrowing Span<UInt8>) {
    var start = 0
    while start < bytes.count {
      // 32 bytes a step on the stack: a digest needs one step and no allocation.
      let end = Swift.min(start + 32, bytes.count)
      unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { digits in
        var index = start
        while index + 4 <= end {
          let word = bytes.extracting(index..<index + 4)
          let value = UInt64(word[0]) << 24 | UInt64(word[1]) << 16 | UInt64(word[2]) << 8 | UInt64(word[3])
          unsafe digits.storeBytes(
            of: Hex.eightDigits(value).bigEndian, toByteOffset: 2 * (index - start), as: UInt64.self)
          index += 4
        }
        while index < end {
          unsafe digits[2 * (index - start)] = Hex.digit(bytes[index] >> 4)
          unsafe digits[2 * (index - start) + 1] = Hex.digit(bytes[index] & 0x0F)
          index += 1
        }
        unsafe append(contentsOf: UnsafeRawBufferPointer(rebasing: digits[..<(2 * (end - start))]))
      }
      start = end
    }
  }
}

public import TokenLifetime
internal import TokenSecurityBase

/// A value that can be an element of a ``RecordKey``.
public protocol RecordKeyElement {
  /// Appends the element's tag and its bytes in an order-preserving form.
  ///
  /// - Parameter bytes: the encoded elements before it.
  func encode(into bytes: inout [UInt8])
}

/// The first byte of an encoded element. No tag is 0x00 or 0xFF: the first ends an element, the second
/// follows every element in the order.
package enum KeyTag {
  package static let bytes: UInt8 = 0x01
  package static let text: UInt8 = 0x02
  package static let integer: UInt8 = 0x03
  package static let instant: UInt8 = 0x04
  /// Ends bytes and texts. In them, a zero byte is followed by ``escape``.
  package static let end: UInt8 = 0x00
  package static let escape: UInt8 = 0xFF
}

extension String: RecordKeyElement {
  /// Appends the text's UTF-8.
  ///
  /// - Parameter bytes: the encoded elements before it.
  public func encode(into bytes: inout [UInt8]) {
    bytes.append(KeyTag.text, utf8.span)
  }
}

extension [UInt8]: RecordKeyElement {
  /// Appends the bytes.
  ///
  /// - Parameter bytes: the encoded elements before it.
  public func encode(into bytes: inout [UInt8]) {
    bytes.append(KeyTag.bytes, span)
  }

  /// Appends a tag, bytes and their end. A zero byte is escaped.
  fileprivate mutating func append(_ tag: UInt8, _ content: borrowing Span<UInt8>) {
    guard ByteSearch.firstIndex(of: 0, in: content, from: 0) == nil else {
      append(tag)
      for index in content.indices {
        append(content[index])
        if content[index] == 0 { append(KeyTag.escape) }
      }
      append(KeyTag.end)
      return
    }
    append(addingCapacity: content.count + 2) { output in
      output.append(tag)
      output.append(copying: content)
      output.append(KeyTag.end)
    }
  }

  /// Appends an integer, most significant byte first, with the sign inverted so that negative ones come
  /// first.
  fileprivate mutating func append(ordered value: Int64) {
    let ordered = UInt64(bitPattern: value) ^ 1 << 63
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: ordered >> shift))
    }
  }
}

extension Int64: RecordKeyElement {
  /// Appends the integer.
  ///
  /// - Parameter bytes: the encoded elements before it.
  public func encode(into bytes: inout [UInt8]) {
    bytes.append(KeyTag.integer)
    bytes.append(ordered: self)
  }
}

extension Int: RecordKeyElement {
  /// Appends the integer.
  ///
  /// - Parameter bytes: the encoded elements before it.
  public func encode(into bytes: inout [UInt8]) { Int64(self).encode(into: &bytes) }
}

extension Bool: RecordKeyElement {
  /// Appends 0 or 1.
  ///
  /// - Parameter bytes: the encoded elements before it.
  public func encode(into bytes: inout [UInt8]) { Int64(self ? 1 : 0).encode(into: &bytes) }
}

extension Timestamp: RecordKeyElement {
  /// Appends seconds and nanoseconds.
  ///
  /// - Parameter bytes: the encoded elements before it.
  public func encode(into bytes: inout [UInt8]) {
    bytes.append(KeyTag.instant)
    bytes.append(ordered: seconds)
    for shift: Int32 in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: nanoseconds >> shift)) }
  }
}

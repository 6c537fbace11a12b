/// The two forms of an ECDSA signature: R‖S of fixed length in JOSE (RFC 7518 section 3.4), and the DER
/// sequence of libcrypto (RFC 3279 section 2.2.3).
package enum ECDSASignature {
  /// Converts R‖S to DER. Refuses wrong lengths and values outside 1…n-1.
  package static func der(
    from raw: borrowing Span<UInt8>, curve: EllipticCurve
  ) throws(CryptoError) -> [UInt8] {
    let size = curve.coordinateSize
    guard raw.count == size * 2 else {
      throw .wrongLength(expected: size * 2, actual: raw.count)
    }
    let order = curve.order
    guard isInRange(raw, at: 0, order), isInRange(raw, at: size, order) else {
      throw .signatureRange
    }
    let r = integer(raw, at: 0, size)
    let s = integer(raw, at: size, size)
    let length = 4 + r.count + s.count
    var der: [UInt8] = []
    der.reserveCapacity(length + 3)
    der.append(0x30)
    if length >= 0x80 { der.append(0x81) }
    der.append(UInt8(length))
    for (start, padding, count) in [(r.start, r.padding, r.count), (s.start, s.padding, s.count)] {
      der.append(0x02)
      der.append(UInt8(count))
      if padding { der.append(0) }
      for index in start..<start + count - (padding ? 1 : 0) { der.append(raw[index]) }
    }
    return der
  }

  /// Converts DER to R‖S; nil if it is not a sequence of two numbers of this curve. The numbers' padding is
  /// not checked: for untrusted DER, compare the result of ``der(from:curve:)`` with it.
  package static func raw(from der: [UInt8], curve: EllipticCurve) -> [UInt8]? {
    let size = curve.coordinateSize
    var raw = [UInt8](repeating: 0, count: size * 2)
    var position = 1
    guard der.count > 2, der[0] == 0x30 else { return nil }
    position += der[1] == 0x81 ? 2 : 1
    for half in 0..<2 {
      guard position + 2 <= der.count, der[position] == 0x02 else { return nil }
      var count = Int(der[position + 1])
      position += 2
      guard count > 0, position + count <= der.count else { return nil }
      if der[position] == 0 {
        position += 1
        count -= 1
      }
      guard count <= size else { return nil }
      for index in 0..<count { raw[half * size + size - count + index] = der[position + index] }
      position += count
    }
    return position == der.count ? raw : nil
  }

  private static func isInRange(
    _ raw: borrowing Span<UInt8>, at start: Int, _ order: [UInt8]
  ) -> Bool {
    var isZero = true
    for index in 0..<order.count where raw[start + index] != 0 {
      isZero = false
      break
    }
    guard !isZero else { return false }
    for index in 0..<order.count where raw[start + index] != order[index] {
      return raw[start + index] < order[index]
    }
    return false
  }

  // DER integers are the shortest two's complement: no leading zeros, but one before a set top bit.
  private static func integer(
    _ raw: borrowing Span<UInt8>, at start: Int, _ size: Int
  ) -> (start: Int, padding: Bool, count: Int) {
    var first = start
    while first < start + size - 1, raw[first] == 0 { first += 1 }
    let padding = raw[first] & 0x80 != 0
    return (first, padding, start + size - first + (padding ? 1 : 0))
  }
}

/// A digest of 32 bytes as a dictionary key. The same size for names and requests of any length.
package struct DigestKey: Sendable, Hashable {
  private let a: UInt64
  private let b: UInt64
  private let c: UInt64
  private let d: UInt64

  /// The key of a SHA-256 digest.
  package init(_ digest: InlineArray<32, UInt8>) {
    func word(_ start: Int) -> UInt64 {
      var value: UInt64 = 0
      for index in start..<start + 8 { value = value << 8 | UInt64(digest[index]) }
      return value
    }
    (a, b, c, d) = (word(0), word(8), word(16), word(24))
  }
}

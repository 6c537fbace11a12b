@testable internal import SigV4
internal import Testing
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

/// The order of bytes, and the equality of bytes and literals.
@Suite struct ByteOrderTests {
  private static let bytes: [UInt8] = [0x00, 0x01, 0x7F, 0x80, 0xFF]

  private func compare(_ a: [UInt8], _ b: [UInt8]) -> Int {
    ByteOrder.compare(a.span, a.indices, b.span, b.indices).signum()
  }

  private func expected(_ a: [UInt8], _ b: [UInt8]) -> Int {
    a.lexicographicallyPrecedes(b) ? -1 : b.lexicographicallyPrecedes(a) ? 1 : 0
  }

  @Test(arguments: 0...40) func orderOfOtherLengths(length: Int) {
    for byte in Self.bytes {
      let text = [UInt8](repeating: byte, count: length)
      #expect(compare(text, text) == 0)
      for other in 0...40 {
        let prefix = [UInt8](repeating: byte, count: other)
        #expect(compare(text, prefix) == expected(text, prefix), "\(other) bytes")
      }
    }
  }

  /// One byte differs, in each place, also when the texts have other lengths.
  @Test(arguments: 1...40) func orderOfOneByte(length: Int) {
    for (byte, other) in Self.bytes.flatMap({ byte in Self.bytes.map { (byte, $0) } }) {
      let usual = [UInt8](repeating: 0x80, count: length)
      for place in 0..<length {
        var (a, b) = (usual, usual)
        (a[place], b[place]) = (byte, other)
        #expect(compare(a, b) == expected(a, b), "\(byte) and \(other) at \(place)")
        #expect(compare(a, b + [0]) == expected(a, b + [0]), "\(byte) and \(other) at \(place)")
        #expect(compare(a + [0xFF], b) == expected(a + [0xFF], b), "\(byte) and \(other) at \(place)")
      }
    }
  }

  /// Two places differ: the first one decides.
  @Test(arguments: 2...40) func firstDifferenceDecides(length: Int) {
    for first in 0..<length - 1 {
      for second in first + 1..<length {
        var (a, b) = ([UInt8](repeating: 0x7F, count: length), [UInt8](repeating: 0x7F, count: length))
        (a[first], b[second]) = (0x80, 0xFF)
        #expect(compare(a, b) == 1)
        #expect(compare(b, a) == -1)
      }
    }
  }

  /// Ranges inside longer texts: the bytes around them do not count.
  @Test func rangesInsideTexts() {
    var random = SeededGenerator(seed: 9)
    for _ in 0..<TestScale.count(2_000) {
      let length = Int.random(in: 0...40, using: &random)
      let a = (0..<length).map { _ in Self.bytes.randomElement(using: &random) ?? 0 }
      var b = a
      if let place = b.indices.randomElement(using: &random), Bool.random(using: &random) {
        b[place] = Self.bytes.randomElement(using: &random) ?? 0
      }
      let (before, after) = (Int.random(in: 0...9, using: &random), Int.random(in: 0...9, using: &random))
      let left = [UInt8](repeating: 0x00, count: before) + a + [UInt8](repeating: 0x00, count: after)
      let right = [UInt8](repeating: 0xFF, count: after) + b + [UInt8](repeating: 0xFF, count: before)
      let result = ByteOrder.compare(
        left.span, before..<before + a.count, right.span, after..<after + b.count)
      #expect(result.signum() == expected(a, b), "\(a) and \(b)")
    }
  }

  @Test(arguments: ["", "a", "te", "connect", "x-amz-da", "x-amz-date", "x-amz-content-sha", "a\u{E9}b"])
  func equalityWithLiterals(text: String) {
    let literals: [StaticString] = [
      "", "a", "te", "connect", "x-amz-da", "x-amz-date", "x-amz-content-sha", "a\u{E9}b",
    ]
    let bytes = Array(text.utf8)
    for literal in literals {
      let areEqual = ByteOrder.isEqual(bytes.span, literal)
      #expect(areEqual == ("\(literal)" == text))
    }
    for place in bytes.indices {
      var changed = bytes
      changed[place] ^= 0x80
      let areEqual = literals.contains { ByteOrder.isEqual(changed.span, $0) }
      #expect(!areEqual)
    }
  }
}

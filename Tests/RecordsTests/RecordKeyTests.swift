internal import Records
internal import Testing
internal import TokenLifetime
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

/// The encoding of keys preserves order and boundaries.
@Suite struct RecordKeyTests {
  /// Elements with zero bytes, escapes, prefixes of each other, and the ends of ranges.
  static let elements: [RecordKey.Part] = bytes + texts + integers + instants

  private static let bytes: [RecordKey.Part] = [
    .bytes([]), .bytes([0]), .bytes([0, 0]), .bytes([0, 1]), .bytes([0, 0xFF]), .bytes([1]), .bytes([1, 0]),
    .bytes([1, 0, 0xFF]), .bytes([1, 0, 0xFF, 0]), .bytes([1, 1]), .bytes([0xFE]), .bytes([0xFF]),
    .bytes([0xFF, 0]),
  ]
  private static let texts: [RecordKey.Part] = [
    .text(""), .text("\0"), .text("\0\0"), .text("a"), .text("a\0"), .text("a\0b"), .text("ab"),
    .text("cafe\u{301}"), .text("caf\u{E9}"), .text("K"), .text("\u{212A}"), .text("\u{10FFFF}"),
  ]
  private static let integers: [RecordKey.Part] = [
    .integer(.min), .integer(-256), .integer(-1), .integer(0), .integer(1), .integer(255), .integer(256),
    .integer(1 << 32), .integer(.max),
  ]
  private static let instants: [RecordKey.Part] = [
    .instant(.earliest), .instant(Timestamp(seconds: -1)), .instant(Timestamp(seconds: 0)),
    .instant(Timestamp(seconds: 0) + .nanoseconds(1)),
    .instant(Timestamp(seconds: 0) + .nanoseconds(999_999_999)), .instant(.latest),
  ]

  /// The order of elements: by kind, then by value.
  private func isBefore(_ a: RecordKey.Part, _ b: RecordKey.Part) -> Bool {
    func kind(_ part: RecordKey.Part) -> Int {
      switch part {
      case .bytes: 0
      case .text: 1
      case .integer: 2
      case .instant: 3
      }
    }
    return switch (a, b) {
    case (.bytes(let a), .bytes(let b)): a.lexicographicallyPrecedes(b)
    case (.text(let a), .text(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
    case (.integer(let a), .integer(let b)): a < b
    case (.instant(let a), .instant(let b)): a < b
    default: kind(a) < kind(b)
    }
  }

  @Test func elementsAreOrdered() {
    for a in Self.elements {
      for b in Self.elements {
        #expect((RecordKey(a) < RecordKey(b)) == isBefore(a, b), "\(a) \(b)")
        #expect((RecordKey(a) == RecordKey(b)) == (a == b))
      }
    }
  }

  @Test func tuplesAreOrderedElementByElement() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<TestScale.count(50_000) {
      let a = (0..<Int.random(in: 0...3, using: &generator)).map { _ in element(&generator) }
      let b = (0..<Int.random(in: 0...3, using: &generator)).map { _ in element(&generator) }
      let (left, right) = (key(a), key(b))
      #expect((left < right) == a.lexicographicallyPrecedes(b, by: isBefore), "\(a) \(b)")
      #expect(left.starts(with: right) == a.starts(with: b), "\(a) \(b)")
      let range = KeyRange.prefix(right)
      let isInside =
        !left.lexicographicallyPrecedes(range.lower) && left.lexicographicallyPrecedes(range.upper)
      #expect(isInside == a.starts(with: b), "\(a) \(b)")
      #expect(left.parts == a)
      #expect(RecordKey(encoded: left.encoded) == left)
    }
  }

  private func element(_ generator: inout SeededGenerator) -> RecordKey.Part {
    Self.elements[Int.random(in: 0..<Self.elements.count, using: &generator)]
  }

  private func key(_ parts: [RecordKey.Part]) -> RecordKey {
    parts.reduce(RecordKey()) { $0.appending($1) }
  }

  /// Bytes decode only if their value encodes to the same bytes.
  @Test func damagedKeysAreRefused() {
    for bytes: [UInt8] in [
      [0], [5], [1], [1, 5], [1, 0, 0xFF], [2, 0xFF, 0], [3, 0], [4, 0x80, 0, 0, 0, 0, 0, 0, 0],
      [4, 0x80, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF],
      [4, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0xFF],
    ] {
      #expect(RecordKey(encoded: bytes) == nil, "\(bytes)")
    }
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<TestScale.count(50_000) {
      let bytes = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
        [0, 1, 2, 3, 4, 5, 0x61, 0xC3, 0xFF].randomElement(using: &generator) ?? UInt8(0)
      }
      guard let key = RecordKey(encoded: bytes) else { continue }
      #expect(self.key(key.parts ?? []).encoded == bytes)
    }
    #expect(RecordKey(encoded: RecordKey(String(repeating: "x", count: 1_278)).encoded) != nil)
    #expect(RecordKey(encoded: RecordKey(String(repeating: "x", count: 1_279)).encoded) == nil)
  }
}

extension RecordKey {
  fileprivate func lexicographicallyPrecedes(_ bytes: [UInt8]) -> Bool {
    encoded.lexicographicallyPrecedes(bytes)
  }
}

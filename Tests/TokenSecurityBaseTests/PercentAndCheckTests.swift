internal import Testing
internal import TokenSecurityBase

@Suite struct PercentAndCheckTests {
  // The check values of the catalogue of parametrised CRC algorithms: CRC-32/ISO-HDLC, CRC-32/ISCSI,
  // CRC-64/NVME.
  @Test(arguments: [
    (CyclicRedundancyCheck.Kind.crc32, "cbf43926"), (.crc32c, "e3069283"), (.crc64NVMe, "ae8b14860a799888"),
  ])
  func checkValues(kind: CyclicRedundancyCheck.Kind, value: String) {
    let bytes = Array("123456789".utf8)
    for split in 0...bytes.count {
      var check = CyclicRedundancyCheck(kind)
      check.update(Array(bytes[..<split]).span)
      check.update(Array(bytes[split...]).span)
      #expect(Hex.string(check.bytes) == value)
    }
  }

  // RFC 3720 appendix B.4.
  @Test func crc32cOfISCSI() {
    #expect(CyclicRedundancyCheck.of([UInt8](repeating: 0, count: 32).span, .crc32c) == 0x8A91_36AA)
    #expect(CyclicRedundancyCheck.of([UInt8](repeating: 0xFF, count: 32).span, .crc32c) == 0x62A8_AB43)
    #expect(CyclicRedundancyCheck.of([UInt8](0..<32).span, .crc32c) == 0x46DD_794E)
  }

  /// Slicing by eight gives the same result as one bit at a time.
  @Test(arguments: CyclicRedundancyCheck.Kind.allCases) func allLengths(kind: CyclicRedundancyCheck.Kind) {
    let polynomial: UInt64 =
      switch kind {
      case .crc32: 0xEDB8_8320
      case .crc32c: 0x82F6_3B78
      case .crc64NVMe: 0x9A6C_9329_AC4B_C9B5
      }
    let ones: UInt64 = kind.size == 4 ? 0xFFFF_FFFF : .max
    for count in 0..<100 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 3) }
      var state = ones
      for byte in bytes {
        state ^= UInt64(byte)
        for _ in 0..<8 { state = state & 1 == 1 ? state >> 1 ^ polynomial : state >> 1 }
      }
      #expect(CyclicRedundancyCheck.of(bytes.span, kind) == state ^ ones)
    }
  }

  // RFC 3986 section 2.3.
  @Test func unreserved() {
    let expected = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    for byte in UInt8.min ... .max { #expect(PercentEncoding.isUnreserved(byte) == expected.contains(byte)) }
  }

  @Test func percentEncoding() {
    for (text, kept, encoded) in [
      ("", true, ""), ("a/b", true, "a/b"), ("a/b", false, "a%2Fb"), ("ü %", true, "%C3%BC%20%25"),
      ("~+", false, "~%2B"),
    ] {
      var output: [UInt8] = []
      PercentEncoding.append(text.utf8.span, keepingSlashes: kept, to: &output)
      #expect(String(decoding: output, as: UTF8.self) == encoded)
      #expect(PercentEncoding.decode(output.span) == Array(text.utf8))
    }
    #expect(PercentEncoding.decode("%zz%4".utf8.span) == Array("%zz%4".utf8))
    #expect(PercentEncoding.firstMalformed("a%20%2".utf8.span) == 4)
    #expect(PercentEncoding.firstMalformed("a%20%g0".utf8.span) == 4)
    #expect(PercentEncoding.firstMalformed("a%20".utf8.span) == nil)
  }
}

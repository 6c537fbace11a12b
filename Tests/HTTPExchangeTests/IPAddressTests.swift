internal import Testing
internal import TokenSecurityPlatform

/// Addresses as text.
@Suite struct IPAddressTests {
  /// Numbers that an address may have, and others that some readers would take.
  private static let numbers: [(text: String, value: UInt8?)] = [
    ("0", 0), ("7", 7), ("10", 10), ("99", 99), ("255", 255), ("256", nil), ("", nil), ("00", nil),
    ("01", nil),
    ("1000", nil), ("0x1", nil), ("+1", nil), ("1 ", nil), ("٣", nil),
  ]

  @Test func fourDecimalNumbers() {
    var count = 0
    for first in Self.numbers {
      for second in Self.numbers {
        for third in Self.numbers {
          for fourth in Self.numbers {
            let all = [first, second, third, fourth]
            let text = all.map(\.text).joined(separator: ".")
            let values = all.compactMap(\.value)
            let address = IPAddress(version4: text[...])
            #expect(address?.bytes == (values.count == 4 ? values : nil), "\(text)")
            count += address == nil ? 0 : 1
          }
        }
      }
    }
    #expect(count == 625)
  }

  @Test(arguments: [
    "", ".", "1", "1.2", "1.2.3", "1.2.3.", ".1.2.3", "1.2.3.4.", "1.2.3.4.5", "1..2.3", "1.2.3.4/8", "::1",
    "1.2.3.4\0",
    "123.123.123.123.123", "99999999999999999999.1.1.1",
  ])
  func otherTexts(_ text: String) { #expect(IPAddress(version4: text[...]) == nil) }
}

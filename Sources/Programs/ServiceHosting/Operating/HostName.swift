/// The syntax of `Host`.
package enum HostName {
  /// The brackets of an IPv6 address.
  package static let brackets: [UInt8] = [UInt8(ascii: "["), UInt8(ascii: "]")]

  /// Returns true for an empty text, and for one with the characters of a host and port only.
  package static func isPlain(_ text: String) -> Bool {
    text.utf8.count <= 260 && text.utf8.allSatisfy { isPlain($0) }
  }

  /// Returns true for the characters of an IP address without brackets, or of a host name.
  package static func isAddress(_ text: String) -> Bool {
    (1...253).contains(text.utf8.count)
      && text.utf8.allSatisfy { isPlain($0) && !brackets.contains($0) }
  }

  package static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
      true
    default: false
    }
  }
}

internal import TokenSecurityEncodings

/// The forms of addresses, of which messages can be sent to each.
package enum AddressForms {
  /// The most bytes of an e-mail address (RFC 5321 section 4.5.3.1.3: 256 with angle brackets).
  package static let emailLimit = 254

  /// Returns whether a text is an e-mail address: `local@domain` in ASCII, without quotes and comments.
  ///
  /// Addresses beyond ASCII are refused: few mail systems take them (RFC 6531), and characters that look or
  /// fold alike would make two accounts of one mailbox.
  ///
  /// - Parameter text: a text.
  /// - Returns: true for an address.
  package static func isEmail(_ text: String) -> Bool {
    let bytes = text.utf8
    guard bytes.count <= emailLimit, let at = bytes.firstIndex(of: UInt8(ascii: "@")) else { return false }
    let local = bytes[..<at]
    let domain = bytes[bytes.index(after: at)...]
    return isDotted(local, limit: 64) { $0.isLetterOrDigit || localMarks.contains($0) }
      && local.first != UInt8(ascii: "-")
      && isDotted(domain, limit: 253) { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
      && domain.first != UInt8(ascii: "-") && domain.last != UInt8(ascii: "-")
  }

  /// Returns whether a text is a telephone number in the form of E.164: `+` and 2 to 15 digits.
  ///
  /// - Parameter text: a text.
  /// - Returns: true for a number.
  package static func isPhoneNumber(_ text: String) -> Bool {
    let bytes = text.utf8
    guard bytes.first == UInt8(ascii: "+"), (3...16).contains(bytes.count) else { return false }
    return bytes.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
  }

  /// The marks of `atext` (RFC 5322 section 3.2.3).
  private static let localMarks = Array("!#$%&'*+-/=?^_`{|}~".utf8)

  /// True for words of allowed characters with single dots between them.
  private static func isDotted(
    _ part: Substring.UTF8View, limit: Int, _ isAllowed: (UInt8) -> Bool
  ) -> Bool {
    guard !part.isEmpty, part.count <= limit else { return false }
    var last = UInt8(ascii: ".")
    for byte in part {
      guard byte == UInt8(ascii: ".") ? last != byte : isAllowed(byte) else { return false }
      last = byte
    }
    return last != UInt8(ascii: ".")
  }
}

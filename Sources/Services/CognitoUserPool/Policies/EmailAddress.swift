internal import ServiceOperations
internal import TokenSecurityBase

/// The form of e-mail addresses to which messages can be sent. What this accepts can be stored, and each sender takes it.
package enum EmailAddress {
  /// Maximum size in bytes of an e-mail address (RFC 5321 section 4.5.3.1.3: 256 with angle brackets).
  private static let limit = 254

  /// Returns whether a text is an e-mail address: `local@domain` in ASCII, without quotes and comments.
  ///
  /// Addresses beyond ASCII are refused: few mail systems take them (RFC 6531), and characters that look or
  /// fold alike would make two accounts of one mailbox. So are addresses that a mail program would take for an option
  /// (`-`), or for a program (`|`) or a file (`/`) to deliver to.
  ///
  /// - Parameter text: a text.
  /// - Returns: true for an address.
  package static func isValid(_ text: String) -> Bool {
    let bytes = text.utf8
    guard bytes.count <= limit, let at = bytes.firstIndex(of: UInt8(ascii: "@")) else { return false }
    let local = bytes[..<at]
    let domain = bytes[bytes.index(after: at)...]
    return isDotted(local, limit: 64) { $0.isLetterOrDigit || localMarks.contains($0) }
      && !"-|/".utf8.contains(local.first ?? UInt8(ascii: "-"))
      && isDotted(domain, limit: 253) { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
      && domain.first != UInt8(ascii: "-") && domain.last != UInt8(ascii: "-")
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

extension VerifiedAttribute {
  /// Returns whether a text has the form of such an address.
  ///
  /// - Parameter text: a text.
  /// - Returns: true for an address.
  package func isForm(of text: String) -> Bool {
    switch self {
    case .email: EmailAddress.isValid(text)
    case .phoneNumber: PhoneNumber.isE164(text)
    }
  }
}

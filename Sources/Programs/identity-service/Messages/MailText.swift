internal import CognitoUserPool
internal import TokenLifetime
internal import TokenSecurityBase

/// An e-mail as `sendmail` reads it: header fields and a body (RFC 5322), lines ended by a line feed.
///
/// No value can add a field: addresses have no blanks and controls, the subject is encoded (RFC 2047), and so is
/// the body (RFC 2045 section 6.8).
struct MailText {
  let bytes: [UInt8]

  /// Writes an e-mail.
  ///
  /// - Throws: `refused` for an address that a header field cannot have.
  init(_ message: OutgoingMessage, from sender: String, at now: Timestamp) throws(MessageError) {
    // The rule by which addresses are stored: nothing that can be stored is refused here.
    guard EmailAddress.isValid(message.destination) else {
      throw .refused("the address cannot be written into a header field")
    }
    let domain = sender.parts(at: "@", most: 2).last ?? "localhost"
    let lines = [
      "From: <\(sender)>", "To: <\(message.destination)>",
      "Subject: \(Self.encoded(message.subject ?? ""))", "Date: \(now.emailDate)",
      "Message-ID: <\(message.id)@\(domain)>", "MIME-Version: 1.0",
      "Content-Type: text/html; charset=utf-8", "Content-Transfer-Encoding: base64",
      "Auto-Submitted: auto-generated", "",
    ]
    let body = Array(Base64.string(Array(message.body.utf8)).utf8)
    bytes =
      Array(lines.map { $0 + "\n" }.joined().utf8)
      + stride(from: 0, to: body.count, by: 76).flatMap { start in
        body[start..<min(start + 76, body.count)] + [UInt8(ascii: "\n")]
      }
  }

  /// True for a sender's address that needs no quotes in a header field or an argument, and that a mail program takes neither for
  /// an option nor for a program or file.
  static func isSender(_ text: String) -> Bool {
    let parts = text.parts(at: "@", most: 3)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && text.utf8.count <= 320
      && !"-|/".utf8.contains(text.utf8.first ?? 0)
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"()<>,;:\\\"[]".utf8.contains($0) }
  }

  /// A text as encoded words, each with whole characters, on lines of at most 76 characters.
  static func encoded(_ text: String) -> String {
    guard !text.isEmpty else { return "" }
    var words: [String] = []
    var word: [UInt8] = []
    for scalar in text.unicodeScalars {
      let bytes = Array(String(scalar).utf8)
      // 39 bytes are 52 characters of Base64. The frame of a word has 12, the field's name nine.
      if word.count + bytes.count > 39 {
        words.append(Base64.string(word))
        word = []
      }
      word += bytes
    }
    words.append(Base64.string(word))
    return words.map { "=?UTF-8?B?\($0)?=" }.joined(separator: "\n ")
  }
}

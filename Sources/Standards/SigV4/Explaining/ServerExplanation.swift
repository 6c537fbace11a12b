internal import TokenSecurityBase

/// The server's side of a signature mismatch: AWS quotes its canonical request and string to sign in the
/// response.
public struct ServerExplanation: Sendable, Hashable {
  /// The error code, `SignatureDoesNotMatch` for example.
  public let code: String?
  /// The error message.
  public let message: String?
  /// The server's canonical request.
  public let canonicalRequest: String?
  /// The server's string to sign.
  public let stringToSign: String?

  /// Parses a response: XML of S3 or of the query protocol, JSON, or the message alone.
  ///
  /// - Parameter bytes: the body of the response, at most 1 MiB.
  /// - Throws: `messageMalformed` when it has neither a code nor a canonical request nor a string to sign.
  public init(response bytes: [UInt8]) throws(SigV4Error) {
    guard bytes.count <= 1 << 20 else { throw .messageMalformed("the response has more than 1 MiB") }
    if let leaves = XMLText(bytes.span) {
      func text(_ name: String) -> String? { leaves.range(name).map { XMLText.text(bytes.span, $0) } }
      let message = text("Message")
      let quoted = Self.quoted(message ?? "")
      code = text("Code")
      self.message = message
      canonicalRequest = text("CanonicalRequest") ?? quoted.canonicalRequest
      stringToSign = text("StringToSign") ?? quoted.stringToSign
    } else {
      let object = try? JSONValue(parsing: bytes).object
      let message =
        (object?["message"] ?? object?["Message"])?.string ?? String(decoding: bytes, as: UTF8.self)
      let quoted = Self.quoted(message)
      code = object?["__type"]?.string
      self.message = message
      canonicalRequest = quoted.canonicalRequest
      stringToSign = quoted.stringToSign
    }
    guard code != nil || canonicalRequest != nil || stringToSign != nil else {
      throw .messageMalformed("the response has neither a code nor a canonical request nor a string to sign")
    }
  }

  // The Canonical String for this request should have been '…' The String-to-Sign should have been '…'
  private static func quoted(_ text: String) -> (canonicalRequest: String?, stringToSign: String?) {
    let bytes = Array(text.utf8)
    func find(_ mark: String) -> String? {
      guard let start = bytes[...].firstRange(ofBytes: mark.utf8)?.upperBound,
        let open = bytes[start...].firstIndex(of: UInt8(ascii: "'")),
        let close = bytes[(open + 1)...].firstIndex(of: UInt8(ascii: "'"))
      else { return nil }
      return String(decoding: bytes[open + 1..<close], as: UTF8.self)
    }
    return (
      find("The Canonical String for this request should have been"),
      find("The String-to-Sign should have been")
    )
  }
}

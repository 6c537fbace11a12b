internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

extension JSONDocument {
  /// Reads the JSON in `secret`, lets `body` take from it what it wants, and wipes the copy that was read.
  static func reading<R>(
    _ secret: borrowing SecretBytes, _ body: (JSONDocument) throws(JOSEError) -> R
  ) throws(JOSEError) -> R {
    var bytes = secret.withBytes { span in [UInt8](unwipedCopy: span) }
    var document: JSONDocument
    do {
      document = try JSONDocument(bytes)
    } catch {
      _ = SecretBytes(wiping: &bytes)
      throw .json(.keys, error)
    }
    // The document must be the only one that holds the bytes when they are wiped, or a copy would be.
    bytes = []
    defer { document.wipe { _ = SecretBytes(wiping: &$0) } }
    return try body(document)
  }
}

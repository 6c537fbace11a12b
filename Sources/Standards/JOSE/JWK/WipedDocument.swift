internal import TokenSecurityBase
internal import TokenSecurityCrypto

extension JSONDocument {
  /// Calls `body` with the JSON in `secret` and wipes the parsed copy afterwards.
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
    // The document must be the only reference to the bytes; otherwise a copy would be wiped.
    bytes = []
    defer { document.wipe { _ = SecretBytes(wiping: &$0) } }
    return try body(document)
  }
}

internal import TokenSecurityBase
internal import TokenSecurityCrypto

// Stored values have refresh tokens and the passwords of devices: what is read leaves no copy of their text behind.
extension JSONDocument {
  /// Reads JSON with secrets. The document has the only reference to the bytes afterwards, so that they can be wiped.
  ///
  /// - Parameters:
  ///   - bytes: the text; empty afterwards. Bytes that are not JSON are wiped.
  ///   - limits: the limits of the text.
  /// - Returns: the document, which the caller wipes; nil for another text.
  static func taking(_ bytes: inout [UInt8], limits: JSONLimits = JSONLimits()) -> JSONDocument? {
    do throws(JSONError) {
      let document = try JSONDocument(bytes, limits: limits)
      bytes = []
      return document
    } catch {
      _ = SecretBytes(wiping: &bytes)
      return nil
    }
  }

  /// Wipes the text.
  mutating func wipe() { wipe { _ = SecretBytes(wiping: &$0) } }
}

/// Tokens whose payload cannot be read. The header often says why: the payload is compressed, encrypted, not encoded, or sent
/// separately. Its rules are the better answer then.
enum UnreadablePayload {
  /// The header of a token that was refused with `error`; nil if `error` is not about the payload, or the header cannot be
  /// read, either.
  static func header(
    of compact: String, after error: JOSEError, limits: TokenLimits, acceptsPadding: Bool
  ) -> JOSEHeader? {
    guard isCause(of: error) else { return nil }
    let text = compact.utf8.span
    do throws(JOSEError) {
      let end = try CompactParts.dots(text, limits: limits).first
      let bytes =
        acceptsPadding
        ? try CompactParts.decodePadded(text, .header, 0, end)
        : try CompactParts.decode(text, .header, 0, end)
      return try JOSEHeader(bytes, limits: limits)
    } catch {
      return nil
    }
  }

  private static func isCause(of error: JOSEError) -> Bool {
    switch error {
    case .json(.payload, _), .notAnObject(.payload, _), .payloadPlacement, .whiteSpace(.payload, _),
      .alphabet(.payload, _), .padding(.payload), .encodedLength(.payload, _), .trailingBits(.payload):
      true
    default: false
    }
  }

  /// The error of a header that announces an unreadable payload, whatever the policy; nil if it announces none.
  static func reason(_ header: JOSEHeader) -> JOSEError? {
    if let place = header.places.encryption {
      return .headerEncryption(name: header.document.string(at: place) ?? "")
    }
    return header.isPayloadEncoded ? nil : .unencodedPayload
  }
}

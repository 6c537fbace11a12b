internal import TokenSecurityBase

extension JSONDocument {
  /// Reads a part of a token that must be a JSON object. Errors name the part.
  static func object(
    _ bytes: consuming [UInt8], in part: TokenPart, limits: TokenLimits
  ) throws(JOSEError) -> JSONDocument {
    let document: JSONDocument
    do {
      document = try JSONDocument(bytes, limits: limits.json)
    } catch {
      throw .json(part, error)
    }
    guard document.kind(at: 0) == .object else {
      throw .notAnObject(part, actual: document.value().kind)
    }
    return document
  }
}

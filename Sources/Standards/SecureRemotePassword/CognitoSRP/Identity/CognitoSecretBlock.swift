internal import TokenSecurityBase

/// `SECRET_BLOCK`, opaque to clients.
enum CognitoSecretBlock {
  /// Maximum size in bytes; Cognito's blocks are smaller.
  static let limit = 16_384

  static func bytes(_ text: String) throws(SRPError) -> [UInt8] {
    let size = text.utf8.count / 4 * 3
    guard size <= limit else { throw .tooLong(.secretBlock, size: size, limit: limit) }
    guard !text.isEmpty else { throw .empty(.secretBlock) }
    do { return try Base64.decode(text) } catch { throw .base64(.secretBlock) }
  }
}

internal import TokenSecurityBase
public import TokenSecurityCrypto

/// An access key: its ID, its secret, and for temporary credentials a session token and an expiration.
///
/// The secret is wiped with the last copy of the value, and appears in no description and no error.
public struct Credentials: Sendable {
  // A reference, so that a copy of the value is cheap.
  private let parts: Parts

  private final class Parts: Sendable {
    let accessKeyID: String
    let sessionToken: String?
    let expiration: Timestamp?
    let secret: RetainedSecret

    init(_ accessKeyID: String, _ sessionToken: String?, _ expiration: Timestamp?, _ secret: RetainedSecret) {
      self.accessKeyID = accessKeyID
      self.sessionToken = sessionToken
      self.expiration = expiration
      self.secret = secret
    }
  }

  /// The access key ID, `AKIA…` or `ASIA…`, which is not secret.
  public var accessKeyID: String { parts.accessKeyID }
  /// The session token of temporary credentials; nil for long-lived credentials.
  public var sessionToken: String? { parts.sessionToken }
  /// When the credentials expire; nil when they do not, or when it is unknown.
  public var expiration: Timestamp? { parts.expiration }
  var secret: RetainedSecret { parts.secret }

  /// Creates credentials.
  ///
  /// - Parameters:
  ///   - accessKeyID: the access key ID: 1 to 128 letters, digits, or `- . _ ~ : @ + =`.
  ///   - secretAccessKey: the secret, at least one byte.
  ///   - sessionToken: the session token of temporary credentials: at most 16 KiB of visible ASCII.
  ///   - expiration: when the credentials expire.
  /// - Throws: `accessKeyMalformed`, `secretEmpty`, `sessionTokenMalformed`.
  public init(
    accessKeyID: String, secretAccessKey: consuming SecretBytes, sessionToken: String? = nil,
    expiration: Timestamp? = nil
  ) throws(SigV4Error) {
    try Self.check(accessKeyID: accessKeyID)
    guard secretAccessKey.count > 0 else { throw .secretEmpty }
    if let sessionToken { try Self.check(sessionToken: Array(sessionToken.utf8)) }
    parts = Parts(accessKeyID, sessionToken, expiration, RetainedSecret(secretAccessKey))
  }

  static func check(accessKeyID: String) throws(SigV4Error) {
    guard isAccessKeyID(accessKeyID.utf8.span) else { throw .accessKeyMalformed(accessKeyID) }
  }

  static func isAccessKeyID(_ bytes: borrowing Span<UInt8>) -> Bool {
    guard (1...128).contains(bytes.count) else { return false }
    if ASCIIWords.areNameCharacters(bytes, capitals: true) { return true }
    // One bit for each ASCII character. A slash, space or comma would move the boundaries of a credential
    // scope.
    let allowed = (low: 0x27FF_6800_0000_0000 as UInt64, high: 0x47FF_FFFE_87FF_FFFF as UInt64)
    for index in bytes.indices where !ByteOrder.has(bytes[index], allowed) { return false }
    return true
  }

  static func check(sessionToken: [UInt8]) throws(SigV4Error) {
    let isPlain = sessionToken.allSatisfy { (0x21...0x7E).contains($0) }
    guard !sessionToken.isEmpty, sessionToken.count <= 16_384, isPlain else { throw .sessionTokenMalformed }
  }

  /// Rejects a request's session token when it is not the token of these credentials, or when only one of
  /// both exists. An empty token counts as none for a long-term key: clients send one for an empty variable.
  func check(sentToken: String?) throws(SigV4Error) {
    if sentToken?.isEmpty == true {
      guard sessionToken == nil, !Self.isTemporary(accessKeyID) else { throw .sessionTokenEmpty }
      return
    }
    switch (sessionToken, sentToken) {
    case (nil, nil): return
    case (let own?, let sent?):
      guard ConstantTime.areEqual(own.utf8.span, sent.utf8.span) else { throw .sessionTokenMismatch }
    default: throw .sessionTokenMismatch
    }
  }

  /// Whether an access key ID has AWS's prefix of temporary credentials, which always have a session token.
  static func isTemporary(_ accessKeyID: String) -> Bool { accessKeyID.hasPrefix("ASIA") }

  /// Rejects expired credentials.
  func check(at date: Timestamp) throws(SigV4Error) {
    // In whole seconds, like the date of a request.
    if let expiration, expiration.seconds <= date.seconds {
      throw .credentialsExpired(at: expiration, now: date)
    }
  }
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The access key ID.
  public var description: String { "credentials of \(accessKeyID.bounded(to: 128))" }
  /// The access key ID.
  public var debugDescription: String { description }
  /// The access key ID alone, so that `dump` prints no secret.
  public var customMirror: Mirror { Mirror(self, children: ["accessKeyID": accessKeyID]) }
}

extension RetainedSecret {
  /// Calls `body` with the secret after a prefix that names its purpose.
  func withPrefix<R: ~Copyable>(
    _ prefix: StaticString, _ body: (borrowing SecretBytes) throws(CryptoError) -> R
  ) throws(CryptoError) -> R {
    let count = prefix.utf8CodeUnitCount
    let key = bytes.withBytes { (secret: borrowing Span<UInt8>) -> SecretBytes in
      SecretBytes(count: count + secret.count) { span in
        prefix.withUTF8Buffer { text in
          for index in 0..<count { span[index] = unsafe text[index] }
        }
        for index in secret.indices { span[count + index] = secret[index] }
      }
    }
    return try body(key)
  }
}

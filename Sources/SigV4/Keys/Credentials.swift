public import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// An access key: its public id, its secret, and for temporary ones a session token and when they end.
///
/// The secret is wiped when the last copy of the value goes, and appears in no description and no error.
public struct Credentials: Sendable {
  // Shared: credentials go from hand to hand.
  private let parts: Parts

  private final class Parts: Sendable {
    let accessKeyID: String
    let sessionToken: String?
    let expiration: Timestamp?
    let secret: SharedSecret

    init(_ accessKeyID: String, _ sessionToken: String?, _ expiration: Timestamp?, _ secret: SharedSecret) {
      self.accessKeyID = accessKeyID
      self.sessionToken = sessionToken
      self.expiration = expiration
      self.secret = secret
    }
  }

  /// The public half, `AKIA…` or `ASIA…`.
  public var accessKeyID: String { parts.accessKeyID }
  /// What temporary credentials send along; nil for long-lived ones.
  public var sessionToken: String? { parts.sessionToken }
  /// When the credentials end; nil where they do not or nobody said.
  public var expiration: Timestamp? { parts.expiration }
  var secret: SharedSecret { parts.secret }

  /// Credentials of their parts.
  ///
  /// - Throws: `accessKeyMalformed` for ids that are empty, have more than 128 bytes or a character that would move
  ///   the borders of a credential scope; `secretEmpty`; `sessionTokenMalformed`.
  public init(
    accessKeyID: String, secretAccessKey: consuming SecretBytes, sessionToken: String? = nil,
    expiration: Timestamp? = nil
  ) throws(SigV4Error) {
    try Self.check(accessKeyID: accessKeyID)
    guard secretAccessKey.count > 0 else { throw .secretEmpty }
    if let sessionToken { try Self.check(sessionToken: Array(sessionToken.utf8)) }
    parts = Parts(accessKeyID, sessionToken, expiration, SharedSecret(secretAccessKey))
  }

  static func check(accessKeyID: String) throws(SigV4Error) {
    let bytes = accessKeyID.utf8.span
    guard (1...128).contains(bytes.count) else { throw .accessKeyMalformed(accessKeyID) }
    // One bit for each of the 128 characters: letters, digits, and - . _ ~ : @ + =
    let allowed = (low: 0x27FF_6800_0000_0000 as UInt64, high: 0x47FF_FFFE_87FF_FFFF as UInt64)
    for index in bytes.indices where !ByteOrder.has(bytes[index], allowed) {
      throw .accessKeyMalformed(accessKeyID)
    }
  }

  static func check(sessionToken: [UInt8]) throws(SigV4Error) {
    let isPlain = sessionToken.allSatisfy { (0x21...0x7E).contains($0) }
    guard !sessionToken.isEmpty, sessionToken.count <= 16_384, isPlain else { throw .sessionTokenMalformed }
  }

  /// Refuses a token that is not the credentials' own: without it, or with another, they are not the ones that were
  /// given out. It need not be signed, so that it proves nothing by itself.
  func check(sentToken: String?) throws(SigV4Error) {
    switch (sessionToken, sentToken) {
    case (nil, nil): return
    case (let own?, let sent?):
      guard ConstantTime.areEqual(own.utf8.span, sent.utf8.span) else { throw .sessionTokenMismatch }
    default: throw .sessionTokenMismatch
    }
  }

  /// Refuses credentials that have ended.
  func check(at date: Timestamp) throws(SigV4Error) {
    if let expiration, expiration <= date { throw .credentialsExpired(at: expiration, now: date) }
  }
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The id alone.
  public var description: String { "credentials of \(accessKeyID.bounded(to: 128))" }
  /// The id alone.
  public var debugDescription: String { description }
  /// Nothing that could be dumped.
  public var customMirror: Mirror { Mirror(self, children: ["accessKeyID": accessKeyID]) }
}

/// A secret that several values look at; the last one wipes it.
final class SharedSecret: Sendable {
  let bytes: SecretBytes

  init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

  /// Compares in constant time.
  func isEqual(to other: SharedSecret) -> Bool { self === other || bytes.isEqual(to: other.bytes) }

  /// The secret behind a text that says what it is for.
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

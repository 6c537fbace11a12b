internal import TokenSecurityBase
public import TokenSecurityCrypto

/// A signing key for one day, one region and one service. The secret cannot be derived from it.
///
///     let key = try ScopedSigningKey(credentials, date: .now, region: "us-east-1", service: "execute-api")
///
/// An edge server can verify with it without the secret. ``withStoredBytes(_:)`` reads its 32 bytes to store
/// them, and ``init(storedBytes:accessKeyID:scope:)`` restores it. Protect it like a password until its day
/// has ended.
public final class ScopedSigningKey: Sendable {
  /// The access key ID that the key belongs to.
  public let accessKeyID: String
  /// The scope in which the key signs and verifies.
  public let scope: CredentialScope
  /// The scope, and `AKID/scope`, as text in each request.
  let scopeBytes: [UInt8]
  let credentialBytes: [UInt8]
  private let key: SecretBytes
  private let authenticator: MessageAuthenticator

  /// The length of the key in bytes.
  public static let size = 32

  /// Derives the key: HMAC over day, region, service and `aws4_request`, each keyed with the output of the
  /// previous one.
  ///
  /// - Parameters:
  ///   - credentials: the secret.
  ///   - date: an instant of the key's day, in UTC.
  ///   - region: the key's region.
  ///   - service: the key's service.
  /// - Throws: `scopePart` for characters that a scope may not have.
  public convenience init(
    _ credentials: Credentials, date: Timestamp, region: String, service: String
  ) throws(SigV4Error) {
    try self.init(credentials, scope: CredentialScope(date: date, region: region, service: service))
  }

  convenience init(_ credentials: Credentials, scope: CredentialScope) throws(SigV4Error) {
    let key: SecretBytes
    do {
      var step = try credentials.secret.withPrefix("AWS4") { secret throws(CryptoError) in
        try Self.next(secret, scope.day)
      }
      step = try Self.next(step, scope.region ?? "")
      step = try Self.next(step, scope.service)
      key = try Self.next(step, CredentialScope.termination)
    } catch {
      throw SigV4Error(error)
    }
    try self.init(storedBytes: key, accessKeyID: credentials.accessKeyID, scope: scope)
  }

  /// Restores a stored key.
  ///
  /// - Parameters:
  ///   - key: the 32 bytes.
  ///   - accessKeyID: the access key ID that the key belongs to.
  ///   - scope: the key's scope.
  /// - Throws: `signingKeyLength`, `accessKeyMalformed`.
  public init(
    storedBytes key: consuming SecretBytes, accessKeyID: String, scope: CredentialScope
  ) throws(SigV4Error) {
    guard key.count == Self.size else { throw .signingKeyLength(key.count) }
    try Credentials.check(accessKeyID: accessKeyID)
    do { authenticator = try MessageAuthenticator(key: key, digest: .sha256) } catch {
      throw SigV4Error(error)
    }
    self.key = key
    self.accessKeyID = accessKeyID
    self.scope = scope
    scopeBytes = scope.bytes
    credentialBytes = Array(accessKeyID.utf8) + [UInt8(ascii: "/")] + scopeBytes
  }

  private static func next(_ key: borrowing SecretBytes, _ text: String) throws(CryptoError) -> SecretBytes {
    try MessageAuthenticator(key: key, digest: .sha256).authenticateSecretly(text.utf8.span)
  }

  /// Calls `body` with the key's 32 bytes, to store them. Copies that `body` makes are not wiped.
  public func withStoredBytes<R: ~Copyable, E: Error>(
    _ body: (borrowing Span<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    try key.withBytes(body)
  }

  func sign(_ text: borrowing Span<UInt8>) throws(SigV4Error) -> [UInt8] {
    do { return try authenticator.authenticate(text) } catch { throw SigV4Error(error) }
  }

  func check(_ signature: borrowing Span<UInt8>, over text: borrowing Span<UInt8>) throws(SigV4Error) -> Bool
  {
    do { return try authenticator.check(signature, over: text) } catch { throw SigV4Error(error) }
  }
}

extension ScopedSigningKey: CustomStringConvertible, CustomReflectable {
  /// The access key ID and the scope.
  public var description: String { "signing key of \(accessKeyID.bounded(to: 128)) for \(scope)" }
  /// The access key ID and the scope, so that `dump` prints no secret.
  public var customMirror: Mirror { Mirror(self, children: ["accessKeyID": accessKeyID, "scope": scope]) }
}

public import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// A signing key for one day, one region and one service. It signs and verifies there, and nowhere else, and the
/// secret that it comes from cannot be had from it.
///
///     let key = try ScopedSigningKey(credentials, date: .now, region: "us-east-1", service: "execute-api")
///
/// So it can be handed to an edge that verifies, or stored: ``withStoredBytes(_:)`` gives its 32 bytes,
/// ``init(storedBytes:accessKeyID:scope:)`` takes them. It must be kept as secret as a password of that day.
public final class ScopedSigningKey: Sendable {
  /// Whose key it is.
  public let accessKeyID: String
  /// What it is good for.
  public let scope: CredentialScope
  /// The scope, and `AKID/scope`, as they are written in each request.
  let scopeBytes: [UInt8]
  let credentialBytes: [UInt8]
  private let key: SecretBytes
  private let authenticator: MessageAuthenticator

  /// The length of the key in bytes.
  public static let size = 32

  /// Derives the key: day, region, service and `aws4_request`, each keyed with what came before.
  ///
  /// - Throws: `scopePart` where region or service cannot stand in a scope.
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

  /// Takes a key that was stored.
  ///
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

  /// Lets `body` read the key's 32 bytes, to store them. What it copies is no longer wiped.
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
  /// Whose key it is and what it is good for.
  public var description: String { "signing key of \(accessKeyID.bounded(to: 128)) for \(scope)" }
  /// Nothing that could be dumped.
  public var customMirror: Mirror { Mirror(self, children: ["accessKeyID": accessKeyID, "scope": scope]) }
}

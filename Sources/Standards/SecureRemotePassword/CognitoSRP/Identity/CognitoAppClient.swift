internal import TokenSecurityBase
public import TokenSecurityCrypto

/// An app client of a user pool: its id, and its secret if it has one.
public struct CognitoAppClient: Sendable {
  /// The id.
  public let id: String
  private let authenticator: MessageAuthenticator?

  /// A client without a secret.
  ///
  /// - Parameter id: 1 to 128 letters, digits, `+` or `_`.
  /// - Throws: `clientIDMalformed`.
  public init(id: String) throws(SRPError) {
    self.id = try Self.checked(id)
    authenticator = nil
  }

  /// A client with a secret: all of its requests contain `SECRET_HASH`.
  ///
  /// - Parameters:
  ///   - id: 1 to 128 letters, digits, `+` or `_`.
  ///   - secret: the client secret.
  /// - Throws: `clientIDMalformed`, `empty`, `libraryFailure`.
  public init(id: String, secret: borrowing SecretBytes) throws(SRPError) {
    self.id = try Self.checked(id)
    guard secret.count > 0 else { throw .empty(.password) }
    do {
      authenticator = try MessageAuthenticator(key: secret, digest: .sha256)
    } catch { throw SRPError(error) }
  }

  /// True if requests need a `SECRET_HASH`.
  public var hasSecret: Bool { authenticator != nil }

  /// Computes `SECRET_HASH`: base64(HMAC-SHA256(client secret, user name | client id)).
  ///
  /// - Parameter username: the user's name.
  /// - Returns: the hash; nil for a client without a secret.
  /// - Throws: `libraryFailure`.
  public func secretHash(username: String) throws(SRPError) -> String? {
    guard let authenticator else { return nil }
    let message = message(username)
    let code = try SRPError.of { () throws(CryptoError) in try authenticator.authenticate(message.span) }
    return Base64.string(Declassification.of(code))
  }

  /// Checks a request's `SECRET_HASH` in constant time.
  ///
  /// - Parameters:
  ///   - secretHash: the hash in the request, if any.
  ///   - username: the user's name.
  /// - Throws: `secretHashMissing`, `secretHashUnexpected`, `secretHashMismatch`, `libraryFailure`.
  public func check(secretHash: String?, username: String) throws(SRPError) {
    guard let authenticator else {
      guard secretHash == nil else { throw .secretHashUnexpected }
      return
    }
    guard let secretHash else { throw .secretHashMissing }
    // 32 bytes have 44 characters in base64.
    guard secretHash.utf8.count == 44, let code = try? Base64.decode(secretHash), code.count == 32 else {
      throw .secretHashMismatch
    }
    let message = message(username)
    let isValid = try SRPError.of { () throws(CryptoError) in
      try authenticator.check(code.span, over: message.span)
    }
    guard isValid else { throw .secretHashMismatch }
  }

  private func message(_ username: String) -> [UInt8] { Array(username.utf8) + Array(id.utf8) }

  private static func checked(_ id: String) throws(SRPError) -> String {
    guard (1...128).contains(id.utf8.count),
      id.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "+") })
    else { throw .clientIDMalformed(id) }
    return id
  }
}

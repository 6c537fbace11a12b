internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// A refresh token: the id of its sign-in, a generation, and a secret, of which the store has a keyed digest
/// only.
///
/// A tag authenticates the whole token, so that tokens which the service did not issue cost no read. With
/// rotation each generation's secret follows from the one before by a keyed digest: calls at once with one
/// token get the same successor.
package struct RefreshToken: Sendable, Equatable {
  /// The id of the sign-in, `origin_jti`.
  package let signInID: String
  /// 0 for the first token of a sign-in.
  package let generation: UInt32
  private let poolID: String
  private let secret: [UInt8]

  private static let version: UInt8 = 1
  private static let secretSize = 32
  private static let tagSize = 16
  private static let idSize = 36
  /// Version, UUID as text, generation, secret.
  private static let bodySize = 1 + idSize + 4 + secretSize

  private init(signInID: String, generation: UInt32, poolID: String, secret: [UInt8]) {
    self.signInID = signInID
    self.generation = generation
    self.poolID = poolID
    self.secret = secret
  }

  /// Makes the first token of a sign-in.
  ///
  /// - Throws: `cryptoFailed`.
  package static func first(signInID: String, poolID: String) throws(UserPoolError) -> RefreshToken {
    let secret = try UserPoolError.crypto { () throws(CryptoError) in
      try Random.secretBytes(count: secretSize).withBytes { [UInt8](unwipedCopy: $0) }
    }
    return RefreshToken(signInID: signInID, generation: 0, poolID: poolID, secret: secret)
  }

  /// Reads a token of a pool.
  ///
  /// - Returns: nil for a text that is not a token of this pool.
  /// - Throws: `cryptoFailed`.
  package init?(_ text: String, poolID: String, secrets: UserPoolSecrets) throws(UserPoolError) {
    // Before decoding: texts may be long.
    guard text.utf8.count <= 2 * (Self.bodySize + Self.tagSize),
      let bytes = try? Base64URL.decode(text), bytes.count == Self.bodySize + Self.tagSize,
      bytes[0] == Self.version
    else { return nil }
    let body = Array(bytes[..<Self.bodySize])
    let (id, count) = (body[1...Self.idSize], body[(1 + Self.idSize)..<(5 + Self.idSize)])
    let tag = Array(bytes[Self.bodySize...])
    let expected = try Self.tag(of: body, poolID: poolID, secrets: secrets)
    guard ConstantTime.areEqual(tag.span, expected.span) else { return nil }
    self.init(
      signInID: String(decoding: id, as: UTF8.self),
      generation: UInt32(bigEndianBytes: count), poolID: poolID,
      secret: Array(body.suffix(Self.secretSize)))
  }

  /// The token as clients get it.
  ///
  /// - Throws: `cryptoFailed`.
  package func text(secrets: UserPoolSecrets) throws(UserPoolError) -> String {
    var body = [Self.version]
    body += Array(signInID.utf8)
    body.append(bigEndian: generation)
    body += secret
    return Base64URL.string(body + (try Self.tag(of: body, poolID: poolID, secrets: secrets)))
  }

  /// The digest that the store has.
  ///
  /// - Throws: `cryptoFailed`.
  package func digest(secrets: UserPoolSecrets) throws(UserPoolError) -> [UInt8] {
    try secrets.digest(
      [Array("secret".utf8), Array(poolID.utf8), Array(signInID.utf8), secret], for: .refreshToken)
  }

  /// The token that replaces this one.
  ///
  /// - Throws: `cryptoFailed`.
  package func successor(secrets: UserPoolSecrets) throws(UserPoolError) -> RefreshToken {
    let next = try secrets.digest(
      [Array("successor".utf8), Array(poolID.utf8), Array(signInID.utf8), secret], for: .refreshToken)
    // The count wraps after four billion replacements; the store refuses a token whose count is not its own.
    return RefreshToken(signInID: signInID, generation: generation &+ 1, poolID: poolID, secret: next)
  }

  private static func tag(
    of body: [UInt8], poolID: String, secrets: UserPoolSecrets
  ) throws(UserPoolError) -> [UInt8] {
    let code = try secrets.digest([Array("tag".utf8), Array(poolID.utf8), body], for: .refreshToken)
    return Array(code.prefix(tagSize))
  }
}

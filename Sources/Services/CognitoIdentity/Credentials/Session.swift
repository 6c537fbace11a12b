internal import TokenLifetime
internal import TokenSecurityBase
public import TokenSecurityCrypto

/// Temporary credentials: an access key, its secret and the session token.
public struct TemporaryCredentials: ~Copyable, Sendable {
  /// `ASIA` and 16 letters and digits.
  public let accessKeyID: String
  /// 40 characters of base64.
  public let secretAccessKey: SecretBytes
  /// The sealed session and secret, sent with every request.
  public let sessionToken: String
  /// When they expire.
  public let expiration: Timestamp
  /// The session that they belong to; nil for those of an access key.
  public let session: SessionTokens.Session?
}

/// Issues temporary credentials and opens their session tokens.
///
///     let pending = try verifier.parse(head)
///     let (id, token) = (pending.parameters.accessKeyID, pending.parameters.sessionToken ?? "")
///     let opened = try sessions.open(token, of: id)
///     let request = try verifier.verify(pending, key: opened.key, body: body)
///
/// Nothing is stored: the session token contains the secret, sealed with AES-256-GCM.
public struct SessionTokens: Sendable {
  private let sealing: SealingKeys

  /// Makes an issuer.
  ///
  /// - Parameter sealing: the keys that seal session tokens.
  public init(_ sealing: SealingKeys) { self.sealing = sealing }

  /// An opened session token.
  public struct Opened: Sendable {
    /// The session of the credentials; nil for those of an access key.
    public let session: Session?
    /// The id of the access key that they were issued for, or with which the role was assumed; nil for those of an identity. The
    /// credentials end with the key: `IdentityPoolService.caller(with:of:at:)` refuses those of removed keys, and revoked ones.
    public let issuer: String?
    /// The key that verifies requests with these credentials. It refuses them after the expiration.
    public let key: VerificationKey
    /// When the credentials expire.
    public let expiration: Timestamp
    /// When the session began, or the earliest time at which one of an earlier version can have begun.
    public let issued: Timestamp
  }

  /// Issues credentials.
  ///
  /// - Parameters:
  ///   - session: the session.
  ///   - lifetime: whole seconds until they expire.
  ///   - now: the time of issue.
  /// - Returns: the credentials.
  /// - Throws: `cryptoFailed`; `parameterRefused` for tags that make the session token too long, `sessionTokenTooLarge`
  ///   for tags and a session policy that do.
  public func issue(_ session: Session, lifetime: Duration, at now: Timestamp = .now) throws(IdentityError)
    -> TemporaryCredentials
  {
    // Nodes of an earlier version would ignore these, or allow such a session what an identity's may do.
    let isPlain = !session.isLimited && session.sourceIdentity == nil && !session.poolID.isEmpty
    var session = session
    session.issued = now.wholeSecond
    return try issue(session.members, session, isPlain ? .plain : .limited, lifetime, at: now)
  }

  /// Issues credentials with the rights of an access key.
  ///
  /// - Parameters:
  ///   - accessKeyID: the access key's id.
  ///   - lifetime: whole seconds until they expire.
  ///   - now: the time of issue.
  /// - Returns: the credentials.
  /// - Throws: `cryptoFailed`.
  func issue(
    forAccessKey accessKeyID: String, lifetime: Duration, at now: Timestamp
  ) throws(IdentityError) -> TemporaryCredentials {
    let members: JSONObject = [
      "k": .string(accessKeyID), "b": .number(JSONNumber(now.wholeSecond.seconds)),
    ]
    return try issue(members, nil, .limited, lifetime, at: now)
  }

  private func issue(
    _ members: JSONObject, _ session: Session?, _ format: Format, _ lifetime: Duration, at now: Timestamp
  ) throws(IdentityError) -> TemporaryCredentials {
    let expiration = now.wholeSecond.advanced(bySeconds: lifetime.wholeSeconds)
    let id = try Self.newID("ASIA")
    let secret = try Self.newSecret()
    var text = members
    text["e"] = .number(JSONNumber(expiration.seconds))
    // The secret's 40 bytes, then the session as JSON.
    let rest = JSONWriter.write(text)
    let content = SecretBytes(count: secret.count + rest.count) { output in
      secret.withBytes { bytes in for index in bytes.indices { output[index] = bytes[index] } }
      for index in rest.indices { output[40 + index] = rest[index] }
    }
    let sealed = try sealing.seal(content, for: .session, name: format.name(of: id))
    let token = format.prefix + Base64URL.string(sealed)
    guard token.utf8.count <= Self.longestToken else {
      guard format == .plain else {
        throw .sessionTokenTooLarge(size: token.utf8.count, limit: Self.longestToken)
      }
      throw .parameterRefused(
        "PrincipalTags", rule: "with them the session token has more than \(Self.longestToken) bytes")
    }
    var session = session
    session?.id = id
    return TemporaryCredentials(
      accessKeyID: id, secretAccessKey: secret, sessionToken: token, expiration: expiration, session: session)
  }

  /// Maximum size in bytes of a session token, which is sent in a header.
  static let longestToken = 8_192

  /// The longest session.
  static let longestSession = Duration.seconds(86_400)

  /// The formats of session tokens. Nodes of an earlier version do not open those of the second one, whatever prefix
  /// these get: they would ignore a session policy, and who has the credentials.
  private enum Format: CaseIterable {
    case plain
    case limited

    var prefix: String { self == .plain ? "TS1." : "TS2." }

    /// The name that is authenticated.
    func name(of accessKeyID: String) -> String { self == .plain ? accessKeyID : prefix + accessKeyID }
  }

  /// Opens a session token.
  ///
  /// - Parameters:
  ///   - token: the session token.
  ///   - accessKeyID: the access key's id in the same request.
  ///   - now: the time.
  /// - Returns: the caller and the key that verifies the request.
  /// - Throws: `sessionTokenInvalid`, `sessionExpired`, `cryptoFailed`.
  public func open(_ token: String, of accessKeyID: String, at now: Timestamp = .now) throws(IdentityError)
    -> Opened
  {
    guard token.utf8.count <= Self.longestToken,
      let format = Format.allCases.first(where: { token.hasPrefix($0.prefix) }),
      let sealed = token.rest(after: format.prefix).flatMap({ try? Base64URL.decode($0) })
    else { throw .sessionTokenInvalid }
    guard let content = try sealing.open(sealed.span, for: .session, name: format.name(of: accessKeyID)),
      content.count > 40
    else {
      throw .sessionTokenInvalid
    }
    let secret = content.withBytes { SecretBytes($0.extracting(0..<40)) }
    let rest = content.withBytes { [UInt8](unwipedCopy: $0.extracting(40..<$0.count)) }
    guard let object = (try? JSONDocument(rest))?.object(),
      let end = object["e"]?.int64.map({ Timestamp(seconds: $0) })
    else { throw .sessionTokenInvalid }
    let begin = object["b"]?.int64.map { Timestamp(seconds: $0) }
    let issued = begin ?? end.advanced(bySeconds: -Self.longestSession.wholeSeconds)
    var session = Session(object)
    session?.issued = issued
    session?.id = accessKeyID
    let issuer = object["k"]?.string
    guard session != nil || issuer != nil else { throw .sessionTokenInvalid }
    guard now < end else { throw .sessionExpired(at: end, now: now) }
    let credentials: Credentials
    do {
      credentials = try Credentials(
        accessKeyID: accessKeyID, secretAccessKey: secret, sessionToken: token,
        expiration: end)
    } catch {
      throw .sessionTokenInvalid
    }
    return Opened(
      session: session, issuer: issuer, key: .credentials(credentials), expiration: end,
      issued: issued)
  }

  /// Makes a secret access key: 30 random bytes as 40 characters.
  static func newSecret() throws(IdentityError) -> SecretBytes {
    let random = try IdentityError.crypto { () throws(CryptoError) in try Random.secretBytes(count: 30) }
    return SecretBytes(count: 40) { output in
      random.withBytes { random in Base64.encode(secret: random, into: &output) }
    }
  }

  /// Makes an access key id: the prefix and 16 random capital letters and digits.
  static func newID(_ prefix: String) throws(IdentityError) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
    let random = try IdentityError.crypto { () throws(CryptoError) in try Random.publicBytes(count: 16) }
    return prefix + String(decoding: random.map { alphabet[Int($0 & 31)] }, as: UTF8.self)
  }
}

public import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import TokenLifetime

/// Temporary credentials as they are handed out: an access key, its secret, and the sealed session token that says the
/// same to whoever has the sealing keys.
public struct TemporaryCredentials: ~Copyable, Sendable {
  /// `ASIA` and 16 letters and digits.
  public let accessKeyID: String
  /// 40 characters of base64.
  public let secretAccessKey: SecretBytes
  /// What is sent along with every request.
  public let sessionToken: String
  /// When they end.
  public let expiration: Timestamp
  /// Whose they are.
  public let session: Session
}

/// Whose temporary credentials are: what their session token says.
public struct Session: Sendable, Hashable {
  /// The role's ARN.
  public let roleARN: String
  /// What the session is called.
  public let name: String
  /// The identity.
  public let identityID: String
  /// The identity's pool.
  public let poolID: String
  /// The session's tags: from the pool's maps of claims, or from the developer. Whoever verifies the credentials
  /// decides what they mean.
  public let tags: NameMap<String>

  /// What the session is in AWS's words: `arn:aws:sts::ACCOUNT:assumed-role/ROLE/NAME`.
  public var assumedRoleARN: String {
    let parts = roleARN.parts(":", most: 6)
    guard parts.count == 6 else { return roleARN }
    let role = parts[5].parts("/").last ?? ""
    return "\(parts[0]):\(parts[1]):sts::\(parts[4]):assumed-role/\(role)/\(name)"
  }

  /// The account in the role's ARN.
  public var account: String {
    let parts = roleARN.parts(":", most: 6)
    return parts.count == 6 ? parts[4] : ""
  }
}

/// Makes temporary credentials, and opens their session tokens.
///
///     let pending = try verifier.parse(head)
///     let opened = try sessions.open(pending.parameters.sessionToken ?? "", of: pending.parameters.accessKeyID)
///     let request = try verifier.verify(pending, key: opened.key, body: body)
///
/// Nothing is stored: the session token carries the secret, sealed with AES-256-GCM.
public struct SessionTokens: Sendable {
  private let sealing: SealingKeys

  /// Session tokens under these keys.
  public init(_ sealing: SealingKeys) { self.sealing = sealing }

  /// An opened session token.
  public struct Opened: Sendable {
    /// Whose the credentials are.
    public let session: Session
    /// What a request that they signed is verified with; it refuses them once they have ended.
    public let key: VerificationKey
    /// When they end.
    public let expiration: Timestamp
  }

  /// New credentials.
  ///
  /// - Parameters:
  ///   - session: whose they are.
  ///   - lifetime: how long they last.
  ///   - now: when they begin.
  public func issue(_ session: Session, lifetime: Duration, at now: NumericDate = .now) throws(IdentityError)
    -> TemporaryCredentials
  {
    let expiration = now.wholeSecond.advanced(bySeconds: lifetime.wholeSeconds)
    let id = try Self.newID("ASIA")
    let secret = try Self.newSecret()
    var text = JSONObject()
    text["e"] = .number(JSONNumber(expiration.seconds))
    text["r"] = .string(session.roleARN)
    text["n"] = .string(session.name)
    text["i"] = .string(session.identityID)
    text["p"] = .string(session.poolID)
    if !session.tags.isEmpty { text["t"] = .map(session.tags) }
    // The secret's 40 bytes, then what is no secret.
    let rest = JSONWriter.write(text)
    let content = SecretBytes(count: secret.count + rest.count) { output in
      secret.withBytes { bytes in for index in bytes.indices { output[index] = bytes[index] } }
      for index in rest.indices { output[40 + index] = rest[index] }
    }
    let sealed = try sealing.seal(content, for: .session, name: id)
    let token = Self.mark + Base64URL.string(sealed)
    guard token.utf8.count <= Self.longestToken else {
      throw .parameterRefused(
        "PrincipalTags", rule: "with them the session token has more than \(Self.longestToken) bytes")
    }
    return TemporaryCredentials(
      accessKeyID: id, secretAccessKey: secret, sessionToken: token, expiration: expiration, session: session)
  }

  /// The most bytes of a session token: it is sent in a header field.
  private static let longestToken = 8_192
  // What the first format of session tokens begins with.
  private static let mark = "TS1."

  /// Opens the session token that came with an access key.
  ///
  /// - Throws: `sessionTokenInvalid` for any other text, `sessionExpired`.
  public func open(_ token: String, of accessKeyID: String, at now: NumericDate = .now) throws(IdentityError)
    -> Opened
  {
    guard token.utf8.count <= Self.longestToken, let text = token.rest(after: Self.mark),
      let sealed = try? Base64URL.decode(text)
    else { throw .sessionTokenInvalid }
    guard let content = try sealing.open(sealed.span, for: .session, name: accessKeyID), content.count > 40
    else {
      throw .sessionTokenInvalid
    }
    let secret = content.withBytes { SecretBytes($0.extracting(0..<40)) }
    let rest = content.withBytes { [UInt8](unwipedCopy: $0.extracting(40..<$0.count)) }
    guard let object = (try? JSONDocument(rest))?.object(),
      let end = object["e"]?.int64.map({ Timestamp(seconds: $0) }),
      let role = object["r"]?.string, let name = object["n"]?.string, let identity = object["i"]?.string,
      let pool = object["p"]?.string
    else { throw .sessionTokenInvalid }
    var tags: NameMap<String> = [:]
    for member in object["t"]?.object?.members ?? [] { tags[member.name] = member.value.string }
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
      session: Session(roleARN: role, name: name, identityID: identity, poolID: pool, tags: tags),
      key: .credentials(credentials), expiration: end)
  }

  /// A new secret access key: 30 random bytes, 40 characters.
  static func newSecret() throws(IdentityError) -> SecretBytes {
    let random = try IdentityError.crypto { () throws(CryptoError) in try Random.secretBytes(count: 30) }
    return SecretBytes(count: 40) { output in
      random.withBytes { random in Base64.encode(secret: random, into: &output) }
    }
  }

  /// A new access key id: what it begins with, and 16 random capital letters and digits.
  static func newID(_ prefix: String) throws(IdentityError) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
    let random = try IdentityError.crypto { () throws(CryptoError) in try Random.publicBytes(count: 16) }
    return prefix + String(decoding: random.map { alphabet[Int($0 & 31)] }, as: UTF8.self)
  }
}

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
  /// The session that they belong to.
  public let session: SessionTokens.Session
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

  /// The session of temporary credentials: an identity with a role.
  public struct Session: Sendable, Hashable {
    /// The role's ARN.
    public let roleARN: String
    /// The session's name.
    public let name: String
    /// The identity's id.
    public let identityID: String
    /// The id of the identity's pool.
    public let poolID: String
    /// The session's tags, from claims or from the developer: `aws:PrincipalTag/…` in policies.
    public let tags: NameMap<String>
    /// How the identity signed in: `cognito-identity.amazonaws.com:amr` in policies. Methods that would make the session
    /// token too long are left out. Empty for credentials of an earlier version.
    public let methods: [String]
    /// The session policy's JSON without white space, which limits what the role allows; nil for none.
    public let policy: String?
    /// Maximum size in bytes of the methods. An identity can have 20 logins with long names.
    private static let methodsSize = 2_048

    init(
      roleARN: String, name: String, identityID: String, poolID: String, tags: NameMap<String>,
      methods: [String] = [], policy: String? = nil
    ) {
      self.roleARN = roleARN
      self.name = name
      self.identityID = identityID
      self.poolID = poolID
      self.tags = tags
      self.policy = policy
      self.methods = Self.fitting(methods)
    }

    /// The shortest methods that fit, in their order: names of providers are shorter than those of their users.
    private static func fitting(_ methods: [String]) -> [String] {
      var left = methodsSize
      var kept: Set<Int> = []
      for index in methods.indices.sorted(by: { methods[$0].utf8.count < methods[$1].utf8.count }) {
        left -= methods[index].utf8.count
        if left >= 0 { kept.insert(index) }
      }
      return methods.indices.filter { kept.contains($0) }.map { methods[$0] }
    }

    /// `arn:aws:sts::ACCOUNT:assumed-role/ROLE/NAME`.
    public var assumedRoleARN: String {
      let parts = roleARN.parts(at: ":", most: 6)
      guard parts.count == 6 else { return roleARN }
      let role = parts[5].parts(at: "/").last ?? ""
      return "\(parts[0]):\(parts[1]):sts::\(parts[4]):assumed-role/\(role)/\(name)"
    }

    /// The identity and the session's name: `aws:userid` in policies.
    public var userID: String { "\(identityID):\(name)" }

    /// The account in the role's ARN.
    public var account: String {
      let parts = roleARN.parts(at: ":", most: 6)
      return parts.count == 6 ? parts[4] : ""
    }
  }

  /// An opened session token.
  public struct Opened: Sendable {
    /// The session of the credentials.
    public let session: Session
    /// The key that verifies requests with these credentials. It refuses them after the expiration.
    public let key: VerificationKey
    /// When the credentials expire.
    public let expiration: Timestamp
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
    if !session.methods.isEmpty { text["a"] = .array(session.methods.map { .string($0) }) }
    if let policy = session.policy { text["s"] = .string(policy) }
    // The secret's 40 bytes, then the session as JSON.
    let rest = JSONWriter.write(text)
    let content = SecretBytes(count: secret.count + rest.count) { output in
      secret.withBytes { bytes in for index in bytes.indices { output[index] = bytes[index] } }
      for index in rest.indices { output[40 + index] = rest[index] }
    }
    let format = session.policy == nil ? Format.plain : .limited
    let sealed = try sealing.seal(content, for: .session, name: format.name(of: id))
    let token = format.prefix + Base64URL.string(sealed)
    guard token.utf8.count <= Self.longestToken else {
      guard session.policy == nil else {
        throw .sessionTokenTooLarge(size: token.utf8.count, limit: Self.longestToken)
      }
      throw .parameterRefused(
        "PrincipalTags", rule: "with them the session token has more than \(Self.longestToken) bytes")
    }
    return TemporaryCredentials(
      accessKeyID: id, secretAccessKey: secret, sessionToken: token, expiration: expiration, session: session)
  }

  /// Maximum size in bytes of a session token, which is sent in a header.
  static let longestToken = 8_192

  /// The formats of session tokens. Nodes of an earlier version do not open those with a session policy, which they would
  /// ignore, whatever prefix these get.
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
  /// - Returns: the session and the key that verifies the request.
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
      session: Session(
        roleARN: role, name: name, identityID: identity, poolID: pool, tags: tags,
        methods: object["a"]?.strings ?? [], policy: object["s"]?.string),
      key: .credentials(credentials), expiration: end)
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

extension JSONValue {
  /// A map of texts, ordered by key.
  fileprivate static func map(_ map: NameMap<String>) -> JSONValue {
    var object = JSONObject()
    for (key, value) in map { object[key] = .string(value) }
    return .object(object)
  }
}

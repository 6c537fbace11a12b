public import TokenLifetime
internal import TokenSecurityBase

extension SessionTokens {
  /// The session of temporary credentials: a role, mostly of an identity.
  public struct Session: Sendable, Hashable {
    /// The role's ARN.
    public let roleARN: String
    /// The session's name.
    public let name: String
    /// The identity's id; empty for a session that has none.
    public let identityID: String
    /// The id of the identity's pool; empty for a session of `AssumeRole`.
    public let poolID: String
    /// The session's tags, from claims or from the developer: `aws:PrincipalTag/…` in policies.
    public let tags: NameMap<String>
    /// How the identity signed in: `cognito-identity.amazonaws.com:amr` in policies. Methods that would make the session
    /// token too long are left out. Empty for credentials of an earlier version.
    public let methods: [String]
    /// The session policy's JSON without white space, which limits what the role allows; nil for none.
    public let policy: String?
    /// The ARNs of managed policies that limit what the role allows, as the policies are at the time of a call.
    public let policyARNs: [String]
    /// Who acts, as the first caller of `AssumeRole` said: `aws:SourceIdentity` in policies. Nil for none.
    public let sourceIdentity: String?
    /// The access key with which `AssumeRole` was called first, with which the session ends; nil for none.
    public let accessKeyID: String?
    /// When the session began: `aws:TokenIssueTime` in policies; for credentials of an earlier version the earliest time at which it
    /// can have begun. Nil before it is issued.
    public internal(set) var issued: Timestamp?
    /// The access key id of its credentials. Nil before it is issued.
    public internal(set) var id: String?
    /// The sessions by which this one was opened, with the first one's identity: it ends when they are revoked.
    package internal(set) var origin: SessionOrigin?
    /// Maximum size in bytes of the methods. An identity can have 20 logins with long names.
    private static let methodsSize = 2_048

    init(
      roleARN: String, name: String, identityID: String, poolID: String, tags: NameMap<String>,
      methods: [String] = [], policy: String? = nil, policyARNs: [String] = [], sourceIdentity: String? = nil,
      accessKeyID: String? = nil
    ) {
      self.roleARN = roleARN
      self.name = name
      self.identityID = identityID
      self.poolID = poolID
      self.tags = tags
      self.policy = policy
      self.policyARNs = policyARNs
      self.sourceIdentity = sourceIdentity
      self.accessKeyID = accessKeyID
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

    /// The identity, or the role where there is none, and the session's name: `aws:userid` in policies.
    public var userID: String { "\(identityID.isEmpty ? roleARN : identityID):\(name)" }

    /// True where policies limit what the role allows.
    var isLimited: Bool { policy != nil || !policyARNs.isEmpty }

    /// The account in the role's ARN.
    public var account: String {
      let parts = roleARN.parts(at: ":", most: 6)
      return parts.count == 6 ? parts[4] : ""
    }
  }
}

extension SessionTokens.Session {
  /// The content of a session token. The secret and the expiration are beside it.
  var members: JSONObject {
    var text = JSONObject()
    text["r"] = .string(roleARN)
    text["n"] = .string(name)
    text["i"] = .string(identityID)
    text["p"] = .string(poolID)
    if !tags.isEmpty { text["t"] = .map(tags) }
    if !methods.isEmpty { text["a"] = .array(methods.map { .string($0) }) }
    if let policy { text["s"] = .string(policy) }
    if !policyARNs.isEmpty { text["m"] = .array(policyARNs.map { .string($0) }) }
    if let sourceIdentity { text["o"] = .string(sourceIdentity) }
    if let accessKeyID { text["k"] = .string(accessKeyID) }
    if let issued { text["b"] = .number(JSONNumber(issued.seconds)) }
    if let origin { text["f"] = .array(origin.members) }
    return text
  }

  /// The session in a session token's content; nil for another content.
  init?(_ object: JSONObject) {
    guard let role = object["r"]?.string, let name = object["n"]?.string, let identity = object["i"]?.string,
      let pool = object["p"]?.string
    else { return nil }
    var tags: NameMap<String> = [:]
    for member in object["t"]?.object?.members ?? [] { tags[member.name] = member.value.string }
    self.init(
      roleARN: role, name: name, identityID: identity, poolID: pool, tags: tags,
      methods: object["a"]?.strings ?? [], policy: object["s"]?.string,
      policyARNs: object["m"]?.strings ?? [], sourceIdentity: object["o"]?.string,
      accessKeyID: object["k"]?.string)
    issued = object["b"]?.int64.map { Timestamp(seconds: $0) }
    if let members = object["f"]?.array {
      guard let known = SessionOrigin(members) else { return nil }
      origin = known
    }
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

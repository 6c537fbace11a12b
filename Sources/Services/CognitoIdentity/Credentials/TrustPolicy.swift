internal import TokenSecurityBase

/// A role's trust policy: who may assume the role, and under which conditions.
///
/// Unknown elements, operators and condition keys are refused, since ignoring them would change the policy's
/// meaning. A policy that allows `cognito-identity.amazonaws.com` must restrict `aud` by `StringEquals`;
/// otherwise any identity pool could assume the role. One that allows `cognito-sync.amazonaws.com` must name
/// its account and pool.
public struct TrustPolicy: Sendable, Hashable {
  let statements: [Statement]

  struct Statement: Sendable, Hashable {
    let isAllow: Bool
    let principals: [Principal]
    let actions: [String]
    let conditions: [TrustCondition]

    /// A kind and a name: `Federated` and `cognito-identity.amazonaws.com` for instance.
    struct Principal: Sendable, Hashable {
      let kind: String
      let name: String
    }
  }

  /// A request to assume the role.
  public struct Caller: Sendable, Hashable {
    /// `Federated`, or `Service`.
    public var principalKind: String
    /// `cognito-identity.amazonaws.com` for instance.
    public var principal: String
    /// `sts:AssumeRoleWithWebIdentity` for instance.
    public var action: String
    /// The values of condition keys, by their names in lower case.
    public var context: NameMap<[String]>

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - principalKind: `Federated` or `Service`.
    ///   - principal: `cognito-identity.amazonaws.com` for instance.
    ///   - action: `sts:AssumeRoleWithWebIdentity` for instance.
    ///   - context: the values of condition keys, by their names in lower case.
    public init(principalKind: String, principal: String, action: String, context: NameMap<[String]>) {
      self.principalKind = principalKind
      self.principal = principal
      self.action = action
      self.context = context
    }

    /// Makes the request of an identity with a token of its pool.
    ///
    /// - Parameters:
    ///   - poolID: the pool's id (`aud`).
    ///   - identityID: the identity's id (`sub`).
    ///   - methods: the token's `amr`.
    /// - Returns: the request.
    public static func webIdentity(poolID: String, identityID: String, methods: [String]) -> Caller {
      Caller(
        principalKind: "Federated", principal: TrustPolicy.identityProvider,
        action: "sts:AssumeRoleWithWebIdentity",
        context: [
          TrustContext.audience: [poolID], TrustContext.subject: [identityID],
          TrustContext.methods: methods,
        ])
    }

    /// Makes the request of a service that acts for an account's resource.
    ///
    /// - Parameters:
    ///   - principal: the service's name: `cognito-sync.amazonaws.com` for instance.
    ///   - account: the account, 12 digits (`aws:SourceAccount`).
    ///   - source: the ARN of the resource (`aws:SourceArn`), for instance a pool's.
    /// - Returns: the request.
    public static func service(_ principal: String, account: String, source: String) -> Caller {
      Caller(
        principalKind: "Service", principal: principal, action: "sts:AssumeRole",
        context: [TrustContext.sourceAccount: [account], TrustContext.sourceARN: [source]])
    }
  }

  static let identityProvider = "cognito-identity.amazonaws.com"

  /// Reads a policy.
  ///
  /// - Parameter text: the policy's JSON, at most 4,096 bytes.
  /// - Throws: `trustPolicyInvalid`.
  public init(json text: String) throws(IdentityError) {
    func invalid(_ rule: String) -> IdentityError { .trustPolicyInvalid(rule: rule) }
    guard text.utf8.count <= 4_096 else { throw invalid("it has more than 4,096 bytes") }
    let document: JSONDocument
    do { document = try JSONDocument(Array(text.utf8)) } catch { throw invalid("\(error)") }
    guard document.kind(at: 0) == .object else { throw invalid("it is not a JSON object") }
    let policy = document.object()
    for name in policy.names where !["Version", "Id", "Statement"].contains(name) {
      throw invalid("the element \(name.quoted) is not supported")
    }
    guard policy["Version"]?.string == "2012-10-17" else { throw invalid("Version must be \"2012-10-17\"") }
    let elements: [JSONValue]
    switch policy["Statement"] {
    case .array(let list)?: elements = list
    case .object(let one)?: elements = [.object(one)]
    default: throw invalid("Statement must be an object or a list")
    }
    guard !elements.isEmpty else { throw invalid("there is no statement") }
    var statements: [Statement] = []
    for element in elements {
      guard let object = element.object else { throw invalid("a statement must be an object") }
      statements.append(try Statement(object))
    }
    self.statements = statements
  }

  /// Returns true where a statement allows the request and none denies it.
  ///
  /// - Parameter caller: the request.
  /// - Returns: whether the role may be assumed.
  public func allows(_ caller: Caller) -> Bool {
    var isAllowed = false
    for statement in statements where statement.applies(to: caller) {
      guard statement.isAllow else { return false }
      isAllowed = true
    }
    return isAllowed
  }
}

extension TrustPolicy.Statement {
  init(_ object: JSONObject) throws(IdentityError) {
    func invalid(_ rule: String) -> IdentityError { .trustPolicyInvalid(rule: rule) }
    for name in object.names where !["Sid", "Effect", "Principal", "Action", "Condition"].contains(name) {
      throw invalid("the element \(name.quoted) is not supported")
    }
    switch object["Effect"]?.string {
    case "Allow": isAllow = true
    case "Deny": isAllow = false
    default: throw invalid("Effect must be \"Allow\" or \"Deny\"")
    }
    guard let principal = object["Principal"]?.object, !principal.members.isEmpty else {
      throw invalid("Principal must name principals; \"*\" would allow everyone")
    }
    var principals: [Principal] = []
    for member in principal.members {
      guard ["Federated", "Service", "AWS"].contains(member.name), let names = member.value.oneOrMore,
        !names.isEmpty, !names.contains("*")
      else { throw invalid("the principal \(member.name.quoted) is not supported, or allows everyone") }
      for name in names { principals.append(Principal(kind: member.name, name: name)) }
    }
    self.principals = principals
    guard let actions = object["Action"]?.oneOrMore, !actions.isEmpty else {
      throw invalid("Action is missing")
    }
    self.actions = actions
    conditions = try TrustCondition.read(object["Condition"])
    try TrustContext.check(self)
  }

  func applies(to caller: TrustPolicy.Caller) -> Bool {
    names(caller.principalKind, caller.principal)
      && actions.contains { Wildcards.match(caller.action.lowercasedASCII, $0.lowercasedASCII) }
      && conditions.allSatisfy { $0.isMet(caller.context) }
  }
}

extension JSONValue {
  /// A string or a list of strings, as a list.
  var oneOrMore: [String]? { string.map { [$0] } ?? strings }
}

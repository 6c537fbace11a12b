internal import TokenSecurityEncodings

/// A role's trust policy: who may take the role on, and under which conditions.
///
/// It is read whole or not at all: an element, an operator or a condition key that is not understood would change what
/// it means. A policy that admits `cognito-identity.amazonaws.com` must tie `aud` to pools by `StringEquals`, or any
/// pool in the world could take the role on. One that admits `cognito-sync.amazonaws.com` must name its account and pool.
public struct TrustPolicy: Sendable, Hashable {
  let statements: [Statement]

  struct Statement: Sendable, Hashable {
    let allows: Bool
    let principals: [Principal]
    let actions: [String]
    let conditions: [TrustCondition]

    /// A kind of principal and a name, `Federated` and `cognito-identity.amazonaws.com` for instance.
    struct Principal: Sendable, Hashable {
      let kind: String
      let name: String
    }
  }

  /// Who asks, as the policy sees them.
  public struct Caller: Sendable, Hashable {
    /// `Federated`, or `Service`.
    public var principalKind: String
    /// `cognito-identity.amazonaws.com` for instance.
    public var principal: String
    /// `sts:AssumeRoleWithWebIdentity` for instance.
    public var action: String
    /// What conditions can ask for: names in small letters, and their values.
    public var context: NameMap<[String]>

    /// A request for a role.
    public init(principalKind: String, principal: String, action: String, context: NameMap<[String]>) {
      self.principalKind = principalKind
      self.principal = principal
      self.action = action
      self.context = context
    }

    /// An identity with a token of its pool.
    public static func webIdentity(poolID: String, identityID: String, methods: [String]) -> Caller {
      Caller(
        principalKind: "Federated", principal: TrustPolicy.identityProvider,
        action: "sts:AssumeRoleWithWebIdentity",
        context: [
          TrustContext.audience: [poolID], TrustContext.subject: [identityID],
          TrustContext.methods: methods,
        ])
    }
  }

  static let identityProvider = "cognito-identity.amazonaws.com"

  /// Reads a policy's JSON, of at most 4,096 characters.
  ///
  /// - Throws: `trustPolicyInvalid`.
  public init(json text: String) throws(IdentityError) {
    func invalid(_ rule: String) -> IdentityError { .trustPolicyInvalid(rule: rule) }
    guard text.utf8.count <= 4_096 else { throw invalid("it has more than 4,096 bytes") }
    let document: JSONDocument
    do { document = try JSONDocument(Array(text.utf8)) } catch { throw invalid("\(error)") }
    guard document.kind(at: 0) == .object else { throw invalid("it is no JSON object") }
    let policy = document.object()
    for name in policy.names where !["Version", "Id", "Statement"].contains(name) {
      throw invalid("the element \(name.quoted) is not understood")
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

  /// Whether `caller` may take the role on: a statement allows it, and none denies it.
  public func admits(_ caller: Caller) -> Bool {
    var isAllowed = false
    for statement in statements where statement.applies(to: caller) {
      guard statement.allows else { return false }
      isAllowed = true
    }
    return isAllowed
  }
}

extension TrustPolicy.Statement {
  init(_ object: JSONObject) throws(IdentityError) {
    func invalid(_ rule: String) -> IdentityError { .trustPolicyInvalid(rule: rule) }
    for name in object.names where !["Sid", "Effect", "Principal", "Action", "Condition"].contains(name) {
      throw invalid("the element \(name.quoted) is not understood")
    }
    switch object["Effect"]?.string {
    case "Allow": allows = true
    case "Deny": allows = false
    default: throw invalid("Effect must be \"Allow\" or \"Deny\"")
    }
    guard let principal = object["Principal"]?.object, !principal.members.isEmpty else {
      throw invalid("Principal must name who is meant; \"*\" would be everybody")
    }
    var principals: [Principal] = []
    for member in principal.members {
      guard ["Federated", "Service", "AWS"].contains(member.name), let names = member.value.oneOrMore,
        !names.isEmpty, !names.contains("*")
      else { throw invalid("the principal \(member.name.quoted) is not understood, or is everybody") }
      for name in names { principals.append(Principal(kind: member.name, name: name)) }
    }
    self.principals = principals
    guard let actions = object["Action"]?.oneOrMore, !actions.isEmpty else {
      throw invalid("Action must be there")
    }
    self.actions = actions
    conditions = try TrustCondition.read(object["Condition"])
    try TrustContext.check(self)
  }

  func applies(to caller: TrustPolicy.Caller) -> Bool {
    names(caller.principalKind, caller.principal)
      && actions.contains { Wildcards.match(caller.action.lowercasedASCII, $0.lowercasedASCII) }
      && conditions.allSatisfy { $0.holds(caller.context) }
  }
}

extension JSONValue {
  /// A text, or a list of texts.
  var oneOrMore: [String]? { string.map { [$0] } ?? strings }
}

internal import AccessPolicies
internal import TokenSecurityBase

/// A role's trust policy: who may assume the role, and under which conditions.
///
/// It is a policy document of IAM with fewer elements and operators: what this service does not offer is refused, since
/// ignoring it would change the policy's meaning. A policy that allows `cognito-identity.amazonaws.com` must restrict
/// `aud` by `StringEquals`; otherwise any identity pool could assume the role. One that allows
/// `cognito-sync.amazonaws.com` must name its account and pool.
public struct TrustPolicy: Sendable {
  private let json: String
  let policy: AccessPolicy

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

  /// The maximum number of bytes of a policy.
  private static let size = 4_096

  /// Reads a policy.
  ///
  /// - Parameter text: the policy's JSON, at most 4,096 bytes.
  /// - Throws: `trustPolicyInvalid`.
  public init(json text: String) throws(IdentityError) {
    func invalid(_ rule: String) -> IdentityError { .trustPolicyInvalid(rule: rule) }
    guard text.utf8.count <= Self.size else { throw invalid("it has more than 4,096 bytes") }
    let document: JSONDocument
    do { document = try JSONDocument(Array(text.utf8)) } catch { throw invalid("\(error)") }
    guard document.kind(at: 0) == .object else { throw invalid("it is not a JSON object") }
    guard document.member("Version").map({ document.isString(at: $0, "2012-10-17") }) == true else {
      throw invalid("Version must be \"2012-10-17\"")
    }
    var limits = AccessPolicyLimits()
    limits.textSize = Self.size
    do {
      policy = try AccessPolicy(document, name: "trust policy", kind: .trust, limits: limits)
    } catch { throw invalid("\(error)") }
    for statement in policy.statements { try TrustContext.check(statement) }
    json = text
  }

  /// Returns true where a statement allows the request and none denies it.
  ///
  /// - Parameter caller: the request.
  /// - Returns: whether the role may be assumed.
  public func allows(_ caller: Caller) -> Bool { policy.allows(caller.request) }
}

extension TrustPolicy: Hashable {
  /// Compares the bytes of the texts.
  ///
  /// - Parameters:
  ///   - left: a policy.
  ///   - right: a policy.
  /// - Returns: true where they are the same.
  public static func == (left: TrustPolicy, right: TrustPolicy) -> Bool { left.json == right.json }

  /// Hashes the bytes of the text.
  ///
  /// - Parameter hasher: the hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(json) }
}

extension TrustPolicy.Caller {
  /// The request as policies see it. A role has no resource besides itself.
  fileprivate var request: AccessRequest {
    var keys = AccessContext()
    for (name, values) in context { keys[name] = values }
    return AccessRequest(
      principal: AccessPrincipal.Kind(name: principalKind).map { .other($0, principal) } ?? .anonymous,
      action: action, resource: "*", context: keys)
  }
}

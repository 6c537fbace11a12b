internal import AccessPolicies
internal import TokenLifetime
internal import TokenSecurityBase

/// `AssumeRole` and `GetSessionToken` of AWS STS, for callers that sign.
extension IdentityPoolService {
  /// A request to assume a role.
  public struct RoleRequest: Sendable, Hashable {
    /// The role's ARN, 20 to 2,048 characters.
    public var roleARN: String
    /// The session's name, 2 to 64 characters of `[\w+=,.@-]`.
    public var sessionName: String
    /// The session's length: 900 to 43,200 whole seconds, at most the role's longest session, and at most an hour for a
    /// caller that is a session itself. Nil: one hour.
    public var duration: Duration?
    /// A session policy, 1 to 2,048 characters, which limits what the role allows. Nil: none.
    public var policy: String?
    /// The ARNs of managed policies, which limit what the role allows, too: at most 10.
    public var policyARNs: [String] = []
    /// The session's tags, at most 50: `aws:PrincipalTag/…` in policies.
    public var tags: NameMap<String> = [:]
    /// `sts:ExternalId` in the trust policy. Nil: none.
    public var externalID: String?
    /// Who acts: `aws:SourceIdentity` in policies. Nil: that of a caller that is a session.
    public var sourceIdentity: String?

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - roleARN: the role's ARN.
    ///   - sessionName: the session's name.
    public init(roleARN: String, sessionName: String) {
      self.roleARN = roleARN
      self.sessionName = sessionName
    }
  }

  /// Issues credentials of a role whose trust policy allows the caller.
  ///
  /// The trust policy must allow `sts:AssumeRole`, with tags `sts:TagSession` and with a source identity
  /// `sts:SetSourceIdentity`, too. What a trust policy allows the whole account, the caller's own policies must allow as well.
  /// An access key needs its own right whatever the trust policy says, since all keys belong to one user: the capability to
  /// issue, or a policy that allows the actions.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - context: the caller, whose signature was verified, the time and the address.
  /// - Returns: the credentials.
  /// - Throws: `signatureMissing`, `callerForbidden`, `policyRefused`, `parameterRefused`, `duration`, `policyInvalid`,
  ///   `sessionTokenTooLarge` and others.
  public func assumeRole(
    _ request: RoleRequest, in context: IdentityPoolOperations.Context
  ) async throws(IdentityError) -> TemporaryCredentials {
    try request.check()
    let policy = try request.policy.map { text throws(IdentityError) in try SessionPolicy.packed(text) }
    let lifetime: Duration
    do { lifetime = try LifetimeRule.webIdentitySession.validate(requested: request.duration) } catch {
      throw .duration(error)
    }
    let permissions = try await permissions(toAssumeBy: context.caller)
    let request = try request.withSourceIdentity(of: context.caller)
    let role = try await store.read(at: .now, .fresh) { rows throws(IdentityError) in
      try rows.role(request.roleARN)
    }
    try permissions.check(request, for: role, context)
    guard let role else { throw .roleRefused(request.roleARN) }
    try await SessionPolicy.check(request.policyARNs, policy, in: store, account: settings.account)
    try role.check(lifetime, isChained: context.caller.session != nil)
    var session = SessionTokens.Session(
      roleARN: role.arn, name: request.sessionName, identityID: "", poolID: "", tags: request.tags,
      policy: policy, policyARNs: request.policyARNs,
      sourceIdentity: request.sourceIdentity, accessKeyID: context.caller.accessKeyID)
    session.origin = context.caller.session.map { SessionOrigin(openedBy: $0) }
    return try sessions.issue(session, lifetime: lifetime, at: context.time)
  }

  /// The permissions of a caller that may assume roles.
  ///
  /// - Throws: `signatureMissing`, `callerForbidden`, `storeFailed`.
  private nonisolated(nonsending) func permissions(
    toAssumeBy caller: IdentityPoolOperations.Caller
  ) async throws(IdentityError) -> CallPermissions {
    let caller = try await withScope(caller)
    if case .developer(_, let scope?, _) = caller {
      guard !scope.policies.isEmpty || scope.capabilities.contains(.issuing) else {
        throw .callerForbidden(rule: "the access key may not \(AccessKeyScope.Capability.issuing.name)")
      }
    }
    guard
      let found = try await CallPermissions.find(for: caller, in: store, account: settings.account, .fresh)
    else {
      throw .signatureMissing
    }
    return found
  }

  /// Issues temporary credentials with the rights of an access key. They end with the key.
  ///
  /// - Parameters:
  ///   - duration: 900 to 86,400 whole seconds. Nil: 12 hours.
  ///   - context: the caller, whose signature was verified, and the time.
  /// - Returns: the credentials.
  /// - Throws: `signatureMissing`; `callerForbidden` for temporary credentials; `duration`, `cryptoFailed`.
  public func sessionToken(
    for duration: Duration? = nil, in context: IdentityPoolOperations.Context
  ) throws(IdentityError) -> TemporaryCredentials {
    switch context.caller {
    case .unsigned: throw .signatureMissing
    case .developer(let id, _, false):
      let lifetime: Duration
      do { lifetime = try LifetimeRule.accessKeySession.validate(requested: duration) } catch {
        throw .duration(error)
      }
      return try sessions.issue(forAccessKey: id, lifetime: lifetime, at: context.time)
    case .developer, .session:
      throw .callerForbidden(rule: "temporary credentials do not allow GetSessionToken")
    }
  }
}

extension IdentityPoolService.RoleRequest {
  /// Maximum number of tags.
  private static let tagLimit = 50

  fileprivate func check() throws(IdentityError) {
    try TextBounds.roleARN.check(roleARN, "RoleArn")
    try TextBounds.sessionName.check(sessionName, "RoleSessionName")
    if let externalID { try TextBounds.externalID.check(externalID, "ExternalId") }
    if let sourceIdentity { try TextBounds.sourceIdentity.check(sourceIdentity, "SourceIdentity") }
    try CountBounds(0...Self.tagLimit).check(tags.count, "Tags")
    var names: Set<ExactString> = []
    for (name, value) in tags {
      try TextBounds.sessionTagName.check(name, "a tag's Key")
      try TextBounds.sessionTagValue.check(value, "a tag's Value")
      guard !name.lowercasedASCII.hasPrefix("aws:") else {
        throw .parameterRefused("Tags", rule: "names that begin with aws: are reserved")
      }
      // Names of condition keys are case-insensitive.
      guard names.insert(ExactString(name.lowercasedASCII)).inserted else {
        throw .tagRepeated(name)
      }
    }
  }

  /// The request with the session's source identity: that of a caller that has one cannot be changed.
  fileprivate func withSourceIdentity(
    of caller: IdentityPoolOperations.Caller
  ) throws(IdentityError) -> Self {
    guard let known = caller.session?.sourceIdentity else { return self }
    guard sourceIdentity == nil || sourceIdentity == known else {
      throw .parameterRefused("SourceIdentity", rule: "the caller has another one, which stays")
    }
    var request = self
    request.sourceIdentity = known
    return request
  }

  /// The actions that the trust policy must allow.
  fileprivate var actions: [String] {
    ["sts:AssumeRole"] + (tags.isEmpty ? [] : ["sts:TagSession"])
      + (sourceIdentity == nil ? [] : ["sts:SetSourceIdentity"])
  }

  /// Adds the condition keys of the request.
  fileprivate func addKeys(to keys: inout AccessContext) {
    keys["sts:RoleSessionName"] = [sessionName]
    if let externalID { keys["sts:ExternalId"] = [externalID] }
    if let sourceIdentity { keys["sts:SourceIdentity"] = [sourceIdentity] }
    for (name, value) in tags { keys["aws:RequestTag/\(name)"] = [value] }
    if !tags.isEmpty { keys["aws:TagKeys"] = tags.map(\.key) }
  }
}

extension CallPermissions {
  /// Checks that the role's trust policy and the caller's own policies allow a request. The caller gets one error for a role
  /// that does not exist, one whose trust policy cannot be loaded or does not allow it, and for its own policies.
  ///
  /// - Throws: `policyRefused`.
  fileprivate func check(
    _ request: IdentityPoolService.RoleRequest, for role: StoredRole?,
    _ context: IdentityPoolOperations.Context
  ) throws(IdentityError) {
    var keys = context.conditionKeys(account: account)
    request.addKeys(to: &keys)
    let principal = context.caller.principal(account: account)
    let isSession = context.caller.session != nil
    func refused(_ action: String, _ error: IdentityError) -> IdentityError {
      .policyRefused(
        PolicyRefusal(
          caller: principal.name, action: action, resource: request.roleARN, reason: error.codeText,
          explanation: error.description))
    }
    let trust: AccessPolicy
    do throws(IdentityError) {
      guard let role else { throw .roleUnknown(request.roleARN) }
      trust = try role.trust().policy
    } catch {
      throw refused("sts:AssumeRole", error)
    }
    for action in request.actions {
      let asked = AccessRequest(
        principal: principal, action: action, resource: request.roleARN, context: keys)
      guard trust.allows(asked) else { throw refused(action, .roleRefused(request.roleARN)) }
      try check(
        asked, resource: isSession ? trust : nil, withoutPolicies: isSession ? [] : SessionPolicy.everything)
    }
  }
}

extension IdentityError {
  /// A tag of the request is named twice.
  static func tagRepeated(_ name: String) -> IdentityError {
    .parameterRefused("Tags", rule: "\(name.quoted) is there twice")
  }
}

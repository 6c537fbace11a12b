internal import AccessPolicies
internal import TokenLifetime
internal import TokenSecurityBase

extension IdentityPoolOperations.Context {
  /// The condition keys of a call.
  ///
  /// A key that has no value is absent: a policy that needs it does not allow the call.
  ///
  /// - Parameter account: the service's account, to which access keys belong.
  /// - Returns: the keys with their values.
  func conditionKeys(account: String) -> AccessContext {
    var keys = caller.conditionKeys(account: account)
    keys.setRequest(time: time, address: address)
    return keys
  }
}

extension IdentityPoolOperations.Caller {
  /// The condition keys that all requests of a caller have.
  ///
  /// - Parameter account: the service's account, to which access keys belong.
  /// - Returns: the keys with their values.
  func conditionKeys(account: String) -> AccessContext {
    var keys: AccessContext = [:]
    func set(_ type: String, _ arn: String, _ account: String, _ id: String) {
      keys["aws:PrincipalType"] = [type]
      keys["aws:PrincipalArn"] = [arn]
      keys["aws:PrincipalAccount"] = [account]
      keys["aws:userid"] = [id]
    }
    switch self {
    case .unsigned: break
    case .developer(let id, _, _):
      set("User", AccessKeyScope.userARN(account: account), account, id)
      keys["aws:username"] = ["developer"]
    case .session(let session):
      set("AssumedRole", session.roleARN, session.account, session.userID)
      session.addKeys(to: &keys)
    }
    return keys
  }
}

extension SessionTokens.Session {
  /// Adds the condition keys that only sessions have.
  fileprivate func addKeys(to keys: inout AccessContext) {
    if !poolID.isEmpty { keys["aws:RequestedRegion"] = [IdentityPool.region(ofPool: poolID)] }
    if let sourceIdentity { keys["aws:SourceIdentity"] = [sourceIdentity] }
    if let issued { keys["aws:TokenIssueTime"] = ["\(issued)"] }
    // Sessions of AssumeRole and of data synchronisation have no identity.
    if !identityID.isEmpty {
      keys["aws:FederatedProvider"] = [TrustPolicy.identityProvider]
      keys[TrustContext.audience] = [poolID]
      keys[TrustContext.subject] = [identityID]
      if !methods.isEmpty { keys[TrustContext.methods] = methods }
    }
    for (tag, value) in tags {
      // Names of keys are case-insensitive. Two tags of one name are several values, which meet no condition of an Allow.
      let name = "aws:PrincipalTag/\(tag)"
      keys[name] = (keys[name] ?? []) + [value]
    }
  }
}

extension IdentityPoolOperations.Caller {
  /// The caller as policies name it.
  ///
  /// - Parameter account: the service's account, to which access keys belong.
  /// - Returns: the principal.
  func principal(account: String) -> AccessPrincipal {
    switch self {
    case .unsigned: .anonymous
    case .developer: .aws(AccessKeyScope.userARN(account: account))
    case .session(let session): .aws(session.assumedRoleARN, parent: session.roleARN)
    }
  }
}

extension AccessKeyScope {
  /// The ARN of the user to whom access keys belong.
  static func userARN(account: String) -> String { "arn:aws:iam::\(account):user/developer" }
}

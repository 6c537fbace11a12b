internal import AccessPolicies
internal import TokenLifetime
internal import TokenSecurityBase

extension SessionTokens.Session {
  /// The condition keys of a call with the session's credentials.
  ///
  /// A key that has no value is absent: a policy that needs it does not allow the call.
  func conditionKeys(_ context: IdentityPoolOperations.Context) -> AccessContext {
    var keys: AccessContext = [
      "aws:PrincipalArn": [roleARN], "aws:PrincipalAccount": [account], "aws:PrincipalType": ["AssumedRole"],
      "aws:userid": [userID], "aws:CurrentTime": ["\(context.time.wholeSecond)"],
      "aws:EpochTime": ["\(context.time.seconds)"],
    ]
    func set(_ name: String, _ values: [String]) { if !values.isEmpty { keys[name] = values } }
    if !poolID.isEmpty { set("aws:RequestedRegion", [IdentityPool.region(ofPool: poolID)]) }
    set("aws:SourceIdentity", sourceIdentity.map { [$0] } ?? [])
    set("aws:SourceIp", context.address.map { [$0] } ?? [])
    // Sessions of AssumeRole and of data synchronisation have no identity.
    if !identityID.isEmpty {
      set("aws:FederatedProvider", [TrustPolicy.identityProvider])
      set(TrustContext.audience, [poolID])
      set(TrustContext.subject, [identityID])
      set(TrustContext.methods, methods)
    }
    for (tag, value) in tags {
      // Names of keys are case-insensitive. Two tags of one name are several values, which meet no condition of an Allow.
      let name = "aws:PrincipalTag/\(tag)"
      set(name, (keys[name] ?? []) + [value])
    }
    return keys
  }
}

extension AccessKeyScope {
  /// The user to whom access keys belong, as policies name it.
  static func principal(account: String) -> AccessPrincipal { .aws(userARN(account: account)) }

  /// The ARN of the user to whom access keys belong.
  static func userARN(account: String) -> String { "arn:aws:iam::\(account):user/developer" }

  /// The condition keys of a call with an access key.
  static func conditionKeys(
    _ accessKeyID: String, account: String, _ context: IdentityPoolOperations.Context
  ) -> AccessContext {
    var keys: AccessContext = [
      "aws:PrincipalArn": [userARN(account: account)], "aws:PrincipalAccount": [account],
      "aws:PrincipalType": ["User"], "aws:userid": [accessKeyID], "aws:username": ["developer"],
      "aws:CurrentTime": ["\(context.time.wholeSecond)"], "aws:EpochTime": ["\(context.time.seconds)"],
    ]
    if let address = context.address { keys["aws:SourceIp"] = [address] }
    return keys
  }
}

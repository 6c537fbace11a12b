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
    set("aws:SourceIp", context.address.map { [$0] } ?? [])
    // A session of data synchronisation has no identity.
    if !identityID.isEmpty {
      set("aws:FederatedProvider", [TrustPolicy.identityProvider])
      set("aws:RequestedRegion", [IdentityPool.region(ofPool: poolID)])
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

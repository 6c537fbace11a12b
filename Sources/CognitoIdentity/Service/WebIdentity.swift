internal import TokenSecurityEncodings
internal import OpenIDConnect
internal import TokenLifetime

/// The basic flow's second step: a role is taken on with a pool's token (`AssumeRoleWithWebIdentity` of AWS STS).
extension IdentityPoolService {
  /// What a caller asks of STS.
  public struct WebIdentityRequest: Sendable, Hashable {
    /// The role's ARN, 20 to 2,048 characters.
    public var roleARN: String
    /// What the session is called, 2 to 64 of `[\w+=,.@-]`.
    public var sessionName: String
    /// The pool's token, 4 to 20,000 characters.
    public var token: String
    /// In seconds, 900 to 43,200 and no longer than the role allows; one hour where nil.
    public var duration: Duration?

    public init(roleARN: String, sessionName: String, token: String, duration: Duration? = nil) {
      self.roleARN = roleARN
      self.sessionName = sessionName
      self.token = token
      self.duration = duration
    }
  }

  /// Takes a role on, if its trust policy admits the token's identity.
  ///
  /// - Throws: `webIdentityRefused`, `roleRefused`, `identityForbidden` and others.
  public func assumeRole(
    _ request: WebIdentityRequest, at now: NumericDate = .now
  ) throws(IdentityError) -> TemporaryCredentials {
    try Bounds.roleARN.check(request.roleARN, "RoleArn")
    try Bounds.sessionName.check(request.sessionName, "RoleSessionName")
    try Bounds.webIdentityToken.check(request.token, "WebIdentityToken")
    let lifetime: Duration
    do { lifetime = try LifetimeRule.webIdentitySession.validate(requested: request.duration) } catch {
      throw .duration(error)
    }
    guard let poolID = IdentityTokens.claimedPool(request.token),
      let pool = try store.read({ rows throws(IdentityError) in try rows.pool(poolID) })
    else {
      throw .webIdentityRefused(
        code: JOSEError.Code.audienceMismatch.rawValue, reason: "it is no token of a pool that is here",
        isExpired: false)
    }
    let judged = try tokens.judge(request.token, poolID: poolID, acceptsGuests: pool.allowsGuests, at: now)
    // AWS's STS does not know the pool. Here the pool's switch covers the whole flow, however the token was made.
    guard pool.allowsClassicFlow == true else { throw .classicFlowOff(pool.id) }
    // It may have been merged or removed since.
    let known = try identity(judged.identityID).identity
    guard known.poolID == poolID else { throw .identityForbidden(judged.identityID) }
    guard judged.logins.isAuthenticated || !known.hasSignedIn else { throw .identityForbidden(known.id) }
    try requireLinked(judged, pool)
    guard let role = try role(request.roleARN) else {
      // A role that is not there and one that does not trust the caller are told apart to nobody.
      throw .roleRefused(request.roleARN)
    }
    guard lifetime <= role.longestSession else {
      throw .parameterRange(
        "DurationSeconds", value: lifetime.wholeSeconds, allowed: 900...role.longestSession.wholeSeconds)
    }
    try role.admit(
      .webIdentity(poolID: poolID, identityID: judged.identityID, methods: judged.methods))
    return try sessions.issue(
      Session(
        roleARN: role.arn, name: request.sessionName, identityID: judged.identityID, poolID: poolID,
        tags: judged.tags),
      lifetime: lifetime, at: now)
  }
}

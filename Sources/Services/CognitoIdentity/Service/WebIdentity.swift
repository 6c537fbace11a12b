internal import OpenIDConnect
internal import TokenLifetime
internal import TokenSecurityBase

/// The second step of the basic flow: `AssumeRoleWithWebIdentity` of AWS STS.
extension IdentityPoolService {
  /// A request to assume a role with a pool's token.
  public struct WebIdentityRequest: Sendable, Hashable {
    /// The role's ARN, 20 to 2,048 characters.
    public var roleARN: String
    /// The session's name, 2 to 64 characters of `[\w+=,.@-]`.
    public var sessionName: String
    /// The pool's token, 4 to 20,000 characters.
    public var token: String
    /// The session's length: 900 to 43,200 whole seconds, at most the role's longest session. Nil: one hour.
    public var duration: Duration?
    /// A session policy, 1 to 2,048 characters, which limits what the role allows. Nil: none.
    public var policy: String?
    /// The ARNs of managed policies, which limit what the role allows, too: at most 10.
    public var policyARNs: [String] = []

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - roleARN: the role's ARN.
    ///   - sessionName: the session's name.
    ///   - token: the pool's token.
    ///   - duration: the session's length. Default: one hour.
    ///   - policy: a session policy. Default: none.
    public init(
      roleARN: String, sessionName: String, token: String, duration: Duration? = nil, policy: String? = nil
    ) {
      self.roleARN = roleARN
      self.sessionName = sessionName
      self.token = token
      self.duration = duration
      self.policy = policy
    }
  }

  /// Issues credentials of a role whose trust policy allows the token's identity.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - now: the time of issue.
  /// - Returns: the credentials.
  /// - Throws: `webIdentityRefused`, `roleRefused`, `classicFlowOff`, `identityForbidden`, `duration`,
  ///   `policyInvalid`, `sessionTokenTooLarge` and others.
  public func assumeRole(
    _ request: WebIdentityRequest, at now: Timestamp = .now
  ) async throws(IdentityError) -> TemporaryCredentials {
    try TextBounds.roleARN.check(request.roleARN, "RoleArn")
    try TextBounds.sessionName.check(request.sessionName, "RoleSessionName")
    try TextBounds.webIdentityToken.check(request.token, "WebIdentityToken")
    let policy = try request.policy.map { text throws(IdentityError) in try SessionPolicy.packed(text) }
    let lifetime: Duration
    do { lifetime = try LifetimeRule.webIdentitySession.validate(requested: request.duration) } catch {
      throw .duration(error)
    }
    guard let poolID = IdentityTokens.claimedPool(request.token),
      let pool = try await store.read({ rows throws(IdentityError) in try rows.pool(poolID) })
    else {
      throw .webIdentityRefused(
        code: JOSEError.Code.audienceMismatch.rawValue, reason: "its audience is not a pool of this service",
        isExpired: false)
    }
    let verified = try await tokens.verify(
      request.token, poolID: poolID, acceptsGuests: pool.allowsGuests, at: now)
    // Unlike AWS STS, this service knows the pool: its switch applies to developer tokens too.
    guard pool.allowsClassicFlow == true else { throw .classicFlowOff(pool.id) }
    let role = try await store.read(at: .now, .fresh) { rows throws(IdentityError) in
      // The identity may have been merged or removed since the token was issued.
      let known = try Self.identity(verified.identityID, rows)
      guard known.poolID == poolID else { throw .identityForbidden(verified.identityID) }
      guard verified.logins.isAuthenticated || !known.hasSignedIn else { throw .identityForbidden(known.id) }
      try Self.requireLinked(verified, pool, rows)
      guard let role = try rows.role(request.roleARN) else {
        // The same error as for a role that does not trust the caller: callers cannot probe for roles.
        throw .roleRefused(request.roleARN)
      }
      return role
    }
    try role.check(lifetime)
    try role.check(
      .webIdentity(poolID: poolID, identityID: verified.identityID, methods: verified.methods))
    try await SessionPolicy.check(request.policyARNs, policy, in: store, account: settings.account)
    return try sessions.issue(
      SessionTokens.Session(
        roleARN: role.arn, name: request.sessionName, identityID: verified.identityID, poolID: poolID,
        tags: verified.tags, methods: verified.methods, policy: policy, policyARNs: request.policyARNs),
      lifetime: lifetime, at: now)
  }
}

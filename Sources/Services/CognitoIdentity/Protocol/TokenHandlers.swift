internal import TokenSecurityBase

// The handlers of the token service.

extension IdentityPoolService {
  func addTokenHandlers(to table: inout Handlers) {
    table.on(AssumeRoleWithWebIdentity.self) { (input, context) throws(IdentityError) in
      var request = WebIdentityRequest(
        roleARN: input.roleARN, sessionName: input.sessionName, token: input.token,
        duration: input.duration.map { .seconds($0) }, policy: input.policy)
      request.policyARNs = input.policies?.map(\.arn) ?? []
      let issued = try await assumeRole(request, at: context.time)
      let size = issued.size
      let secret = try issued.secretMember()
      let session = issued.session
      return AssumeRoleWithWebIdentity.Output {
        $0.subject = session?.identityID
        $0.audience = session?.poolID
        $0.provider = TrustPolicy.identityProvider
        $0.packedPolicySize = size.percent
        $0.sessionTokenUtilization = size.percent
        $0.sessionTokenSize = size.bytes
        $0.user = issued.user
        $0.credentials = issued.member(secret)
      }
    }
    table.on(AssumeRole.self) { (input, context) throws(IdentityError) in
      var request = RoleRequest(roleARN: input.roleARN, sessionName: input.sessionName)
      request.duration = input.duration.map { .seconds($0) }
      request.policy = input.policy
      request.policyARNs = input.policies?.map(\.arn) ?? []
      request.externalID = input.externalID
      request.sourceIdentity = input.sourceIdentity
      for tag in input.tags ?? [] {
        guard request.tags[tag.key] == nil else { throw .tagRepeated(tag.key) }
        request.tags[tag.key] = tag.value
      }
      let issued = try await assumeRole(request, in: context)
      let size = issued.size
      let secret = try issued.secretMember()
      return AssumeRole.Output {
        $0.packedPolicySize = size.percent
        $0.sessionTokenUtilization = size.percent
        $0.sessionTokenSize = size.bytes
        $0.sourceIdentity = issued.session?.sourceIdentity
        $0.user = issued.user
        $0.credentials = issued.member(secret)
      }
    }
    table.on(GetSessionToken.self) { (input, context) throws(IdentityError) in
      let issued = try sessionToken(for: input.duration.map { .seconds($0) }, in: context)
      let size = issued.size
      let secret = try issued.secretMember()
      return GetSessionToken.Output {
        $0.sessionTokenUtilization = size.percent
        $0.sessionTokenSize = size.bytes
        $0.credentials = issued.member(secret)
      }
    }
    table.on(GetCallerIdentity.self) { (_, context) throws(IdentityError) in
      try callerIdentity(context.caller)
    }
  }

  private func callerIdentity(
    _ caller: IdentityPoolOperations.Caller
  ) throws(IdentityError) -> GetCallerIdentity.Output {
    if case .unsigned = caller { throw .signatureMissing }
    let member = caller.member(account: settings.account)
    return GetCallerIdentity.Output {
      $0.arn = member.arn
      $0.userID = member.userID
      $0.account = member.account
    }
  }
}

extension TemporaryCredentials {
  /// The size of the session token in bytes, and its share of the greatest one in percent, rounded up.
  fileprivate var size: (bytes: Int64, percent: Int64) {
    let size = sessionToken.utf8.count
    let percent = (size * 100 + SessionTokens.longestToken - 1) / SessionTokens.longestToken
    return (Int64(size), Int64(percent))
  }

  fileprivate var user: AssumedRoleUser? {
    guard let session else { return nil }
    return AssumedRoleUser {
      $0.arn = session.assumedRoleARN
      $0.id = "\(accessKeyID):\(session.name)"
    }
  }

  fileprivate func member(_ secret: SecretText) -> SessionCredentials {
    SessionCredentials {
      $0.accessKeyID = accessKeyID
      $0.secretAccessKey = secret
      $0.sessionToken = sessionToken
      $0.expiration = expiration
    }
  }
}

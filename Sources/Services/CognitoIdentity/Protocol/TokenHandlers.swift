internal import TokenSecurityBase

// The handlers of the token service.

extension IdentityPoolService {
  func addTokenHandlers(to table: inout Handlers) {
    table.on(AssumeRoleWithWebIdentity.self) { (input, context) throws(IdentityError) in
      let issued = try await assumeRole(
        WebIdentityRequest(
          roleARN: input.roleARN, sessionName: input.sessionName, token: input.token,
          duration: input.duration.map { .seconds($0) }, policy: input.policy),
        at: context.time)
      let size = issued.sessionToken.utf8.count
      // Rounded up.
      let percent = Int64((size * 100 + SessionTokens.longestToken - 1) / SessionTokens.longestToken)
      let secret = try issued.secretMember()
      let session = issued.session
      return AssumeRoleWithWebIdentity.Output {
        $0.subject = session.identityID
        $0.audience = session.poolID
        $0.provider = TrustPolicy.identityProvider
        $0.packedPolicySize = percent
        $0.sessionTokenUtilization = percent
        $0.sessionTokenSize = Int64(size)
        $0.user = AssumedRoleUser {
          $0.arn = session.assumedRoleARN
          $0.id = "\(issued.accessKeyID):\(session.name)"
        }
        $0.credentials = SessionCredentials {
          $0.accessKeyID = issued.accessKeyID
          $0.secretAccessKey = secret
          $0.sessionToken = issued.sessionToken
          $0.expiration = issued.expiration
        }
      }
    }
    table.on(GetCallerIdentity.self) { (_, context) throws(IdentityError) in
      try callerIdentity(context.caller)
    }
  }

  private func callerIdentity(
    _ caller: IdentityPoolOperations.Caller
  ) throws(IdentityError) -> GetCallerIdentity.Output {
    switch caller {
    case .unsigned: throw .signatureMissing
    case .session(let session):
      return GetCallerIdentity.Output {
        $0.arn = session.assumedRoleARN
        $0.userID = session.userID
        $0.account = session.account
      }
    case .developer(let id, _):
      return GetCallerIdentity.Output {
        $0.arn = "arn:aws:iam::\(settings.account):user/developer"
        $0.userID = id
        $0.account = settings.account
      }
    }
  }
}

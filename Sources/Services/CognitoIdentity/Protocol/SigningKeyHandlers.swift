internal import AccessPolicies
internal import SigV4
internal import TokenSecurityBase
internal import TokenSecurityCrypto

// The handler of signing keys for APIs.

extension IdentityPoolService {
  func addSigningKeyHandlers(to table: inout Handlers) {
    table.on(GetScopedSigningKey.self) { (input, context) throws(IdentityError) in
      try await signingKey(input, in: context).output(account: settings.account)
    }
  }
}

extension IdentityPoolService.SessionSigningKey {
  fileprivate func output(account: String) throws(IdentityError) -> GetScopedSigningKey.Output {
    var output = GetScopedSigningKey.Output()
    switch key {
    case .hmac(let key):
      let text = key.withStoredBytes { bytes in
        SecretBytes(count: Base64.length(of: ScopedSigningKey.size)) { output in
          Base64.encode(secret: bytes, into: &output)
        }
      }
      output.signingKey = try text.member("the signing key")
    case .ecdsa(let key):
      output.publicKey = SessionPublicKey {
        $0.x = Blob(key.x)
        $0.y = Blob(key.y)
      }
    }
    output.expiration = opened.expiration
    output.maximumAge = maximumAge
    output.session = caller.member(account: account, issued: opened.issued)
    let keys = caller.conditionKeys(account: account)
    // That of the request is the API's.
    for name in keys.names where name != "aws:requestedregion" {
      output.conditionKeys[ExactString(name)] = keys[name]
    }
    output.policies = permissions.documents
    output.sessionPolicies = permissions.limitDocuments
    return output
  }
}

extension IdentityPoolOperations.Caller {
  /// Who the caller is.
  ///
  /// - Parameters:
  ///   - account: the service's account, to which access keys belong.
  ///   - issued: when the session began. Default: nil.
  /// - Returns: the members.
  func member(account: String, issued: Timestamp? = nil) -> VerifiedSession {
    var member = VerifiedSession()
    member.account = account
    member.issued = issued
    switch self {
    case .unsigned: break
    case .developer(let id, _, _):
      member.arn = AccessKeyScope.userARN(account: account)
      member.userID = id
    case .session(let session):
      member.arn = session.assumedRoleARN
      member.userID = session.userID
      member.account = session.account
      member.roleARN = session.roleARN
      member.sessionName = session.name
      member.sourceIdentity = session.sourceIdentity
      if !session.identityID.isEmpty {
        member.identityID = session.identityID
        member.poolID = session.poolID
        member.methods = session.methods
      }
      if !session.tags.isEmpty {
        member.tags = [ExactString: String](
          session.tags.map { (ExactString($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
      }
    }
    return member
  }
}

internal import AccessPolicies
internal import SigV4
internal import TokenSecurityBase
internal import TokenSecurityCrypto

// The handler of signing keys for APIs.

extension IdentityPoolService {
  func addSigningKeyHandlers(to table: inout Handlers) {
    table.on(GetScopedSigningKey.self) { (input, context) throws(IdentityError) in
      let isECDSA = input.algorithm == .ecdsa
      guard isECDSA == (input.day == nil) else {
        throw .parameterRefused("Day", rule: "a key of SigV4 has a day, and a key of SigV4A has none")
      }
      let request = SigningKeyRequest(
        accessKeyID: input.accessKeyID, sessionToken: input.sessionToken, region: input.region,
        service: input.service, day: input.day, isPresigned: input.isPresigned ?? false)
      let found = try await signingKey(request, in: context)
      return try found.output(account: settings.account)
    }
  }
}

extension IdentityPoolService.SessionSigningKey {
  fileprivate func output(account: String) throws(IdentityError) -> GetScopedSigningKey.Output {
    var output = GetScopedSigningKey.Output()
    switch key {
    case .hmac(let key): output.signingKey = try Self.text(of: key)
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

  private static func text(of key: ScopedSigningKey) throws(IdentityError) -> SecretText {
    // 32 bytes are 44 characters.
    let encoded = key.withStoredBytes { bytes in
      SecretBytes(count: 44) { output in Base64.encode(secret: bytes, into: &output) }
    }
    guard let text = encoded.withBytes({ SecretText($0) }) else {
      throw .cryptoFailed("the signing key is not a text")
    }
    return text
  }
}

extension IdentityPoolOperations.Caller {
  fileprivate func member(account: String, issued: Timestamp) -> VerifiedSession {
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

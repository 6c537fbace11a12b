internal import TokenSecurityBase
internal import TokenSecurityCrypto

// The handlers of operations on identities and on developers' users.

extension IdentityPoolService {
  func addIdentityHandlers(to table: inout Handlers) {
    table.on(GetID.self) { (input, context) throws(IdentityError) in
      let found = try await resolveIdentity(
        poolID: input.poolID, account: input.accountID, checked: NameMap(input.logins ?? [:]),
        at: context.time)
      return GetID.Output {
        $0.identityID = found.result
        $0.changedNothing = found.changedNothing
      }
    }
    table.on(GetOpenIDToken.self) { (input, context) throws(IdentityError) in
      let issued = try await issueOpenIDToken(
        for: input.identityID, checked: NameMap(input.logins ?? [:]), at: context.time)
      return issued.members
    }
    table.on(GetCredentialsForIdentity.self) { (input, context) throws(IdentityError) in
      var changedNothing = false
      let issued = try await issueCredentials(
        for: input.identityID, checked: NameMap(input.logins ?? [:]), customRole: input.customRoleARN,
        at: context.time, &changedNothing)
      let secret = try issued.secretMember()
      return GetCredentialsForIdentity.Output {
        $0.changedNothing = changedNothing
        $0.identityID = issued.session?.identityID
        $0.credentials = IdentityCredentials {
          $0.accessKeyID = issued.accessKeyID
          $0.secretKey = secret
          $0.sessionToken = issued.sessionToken
          $0.expiration = issued.expiration
        }
      }
    }
    table.on(UnlinkIdentity.self) { (input, context) throws(IdentityError) in
      try await unlinkIdentity(
        input.identityID, checked: NameMap(input.logins), removing: input.providers, at: context.time)
      return NoMembers()
    }
    table.on(DescribeIdentity.self) { (input, _) throws(IdentityError) in
      try await describeIdentity(input.identityID).members
    }
    table.on(ListIdentities.self) { (input, _) throws(IdentityError) in
      let page = try await listIdentities(
        inPool: input.poolID, size: input.maxResults, next: input.nextToken,
        hidesDisabled: input.hidesDisabled ?? false)
      return ListIdentities.Output {
        $0.poolID = input.poolID
        $0.identities = page.elements.map(\.members)
        $0.nextToken = page.next
      }
    }
    table.on(DeleteIdentities.self) { (input, _) throws(IdentityError) in
      let missing = try await deleteIdentities(input.identityIDs)
      return DeleteIdentities.Output {
        $0.unprocessed = missing.map { id in
          DeleteIdentities.Unprocessed {
            $0.identityID = id
            $0.reason = .accessDenied
          }
        }
      }
    }
  }

  func addDeveloperHandlers(to table: inout Handlers) {
    table.on(GetOpenIDTokenForDeveloperIdentity.self) { (input, context) throws(IdentityError) in
      let issued = try await issueDeveloperToken(
        poolID: input.poolID, identityID: input.identityID, checked: NameMap(input.logins),
        duration: TokenDuration(input.duration.map { .seconds($0) }),
        tags: NameMap(input.principalTags ?? [:]), at: context.time)
      return issued.members
    }
    table.on(LookupDeveloperIdentity.self) { (input, _) throws(IdentityError) in
      let found = try await lookupDeveloperIdentity(
        poolID: input.poolID, identityID: input.identityID, user: input.user, size: input.maxResults,
        next: input.nextToken)
      return LookupDeveloperIdentity.Output {
        $0.identityID = found.identityID
        $0.users = found.users.elements
        $0.nextToken = found.users.next
      }
    }
    table.on(MergeDeveloperIdentities.self) { (input, context) throws(IdentityError) in
      let id = try await mergeDeveloperIdentities(
        source: input.source, destination: input.destination, provider: input.provider, poolID: input.poolID,
        at: context.time)
      return GetID.Output { $0.identityID = id }
    }
    table.on(UnlinkDeveloperIdentity.self) { (input, context) throws(IdentityError) in
      try await unlinkDeveloperIdentity(
        input.identityID, user: input.user, provider: input.provider, poolID: input.poolID, at: context.time)
      return NoMembers()
    }
  }
}

extension Settled<IssuedToken> {
  fileprivate var members: IdentityToken {
    IdentityToken {
      $0.identityID = result.identityID
      $0.token = result.token
      $0.changedNothing = changedNothing
    }
  }
}

extension IdentityPoolService.DescribedIdentity {
  fileprivate var members: IdentityDescription {
    IdentityDescription {
      $0.identityID = identity.id
      $0.providers = providers
      $0.created = identity.created
      $0.modified = identity.modified
    }
  }
}

extension TemporaryCredentials {
  /// The secret access key as a member, which is wiped as well.
  func secretMember() throws(IdentityError) -> SecretText {
    try secretAccessKey.member("the secret access key")
  }
}

extension SecretBytes {
  /// The secret as a member, which is wiped as well.
  func member(_ name: String) throws(IdentityError) -> SecretText {
    guard let text = withBytes({ SecretText($0) }) else { throw .cryptoFailed("\(name) is not a text") }
    return text
  }
}

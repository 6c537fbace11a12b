internal import CognitoIdentity
internal import CognitoUserPool

/// The user pools of the service, whose tokens are logins of its identity pools.
struct ServedUserPools: LocalUserPools {
  let service: UserPoolService

  func trust(inUserPool id: String) async throws(IdentityError) -> UserPoolTrust {
    do throws(UserPoolError) {
      let keys = try await service.published.keySet(ofPool: id)
      let issuer = service.settings.issuers.ownIssuer(ofPool: id)
      return .local(issuer: issuer, keySet: String(decoding: keys, as: UTF8.self))
    } catch .poolUnknown {
      return try await isRemoved(id) ? .removed : .foreign
    } catch {
      throw .storeFailed("\(error)")
    }
  }

  private func isRemoved(_ id: String) async throws(IdentityError) -> Bool {
    do throws(UserPoolError) { return try await service.published.isRemoved(poolID: id) } catch {
      throw .storeFailed("\(error)")
    }
  }

  func isSignedIn(
    originTokenID: String, subject: String, userPool id: String
  ) async throws(IdentityError) -> Bool {
    do throws(UserPoolError) {
      return try await service.published.isSignedIn(
        originTokenID: originTokenID, subject: subject, poolID: id)
    } catch {
      throw .storeFailed("\(error)")
    }
  }
}

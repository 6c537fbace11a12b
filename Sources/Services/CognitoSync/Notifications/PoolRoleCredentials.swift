internal import CognitoIdentity
internal import SigV4
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Credentials of a role that the service of identity pools issues itself. AWS does not know them: they are for
/// notification services that trust this service's session tokens, or none, as test servers do.
struct PoolRoleCredentials: CredentialsSource {
  let service: IdentityPoolService
  let role: PublishingRole

  func credentials(at now: Timestamp) async throws(CredentialsError) -> Credentials {
    do throws(IdentityError) {
      let issued = try await service.publishingCredentials(ofRole: role.arn, poolID: role.poolID, at: now)
      let secret = issued.secretAccessKey.withBytes { SecretBytes($0) }
      do throws(SigV4Error) {
        return try Credentials(
          accessKeyID: issued.accessKeyID, secretAccessKey: secret, sessionToken: issued.sessionToken,
          expiration: issued.expiration)
      } catch {
        throw IdentityError.cryptoFailed("\(error)")
      }
    } catch {
      switch error {
      case .storeFailed, .storeBusy, .cryptoFailed: throw .serviceUnreachable("\(error)")
      default: throw .serviceRefused(status: 403, code: error.codeText)
      }
    }
  }
}

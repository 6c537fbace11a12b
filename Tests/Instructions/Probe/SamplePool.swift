internal import CognitoIdentity
internal import TokenSecurityCrypto
internal import JOSE
internal import OpenIDConnect

/// An identity pool in memory, with one user of a developer's own.
struct SamplePool {
  let service: IdentityPoolService
  let pool: IdentityPool

  init() async throws {
    let master = [UInt8](repeating: 7, count: 32)
    service = IdentityPoolService(
      store: try MemoryRecordStore(tables: IdentityTables.all),
      sealing: try SealingKeys(master: SecretBytes(master.span)),
      logins: LoginVerifier(transport: FixedDocument(text: "{}")))
    try await service.keys.maintain(at: SampleToken.now)
    pool = try await service.createPool(named: "sample") { pool in
      pool.allowsGuests = true
      pool.developerProviderName = "login.my.app"
    }
  }

  func developerToken() async throws {
    _ = try await service.issueDeveloperToken(
      poolID: pool.id, identityID: nil, logins: ["login.my.app": "jane"], duration: nil, at: SampleToken.now)
  }
}

internal import CognitoIdentity
internal import SigningKeyTesting
internal import Testing
internal import TokenSecurityCrypto

/// The region, the account and the issuer of the data.
@Suite struct StoredSettingsTests {
  @Test(arguments: Fixture.Kind.allCases)
  func areStoredOnce(_ kind: Fixture.Kind) async throws {
    let f = try await Fixture(kind)
    let settings = StoredSettings(region: "eu-west-1", account: "000000000001", issuer: "https://id.example")
    #expect(try await f.store.read { rows throws(IdentityError) in try rows.settings() } == nil)
    try await f.store.write { rows throws(IdentityError) in try rows.put(settings) }
    #expect(try await f.store.read { rows throws(IdentityError) in try rows.settings() } == settings)
  }

  private func region(of store: any RecordStore, given: String?) async throws -> String? {
    try await store.read { rows throws(IdentityError) in try rows.regionOfRows(given: given) }
  }

  private func service(_ store: any RecordStore, _ region: String) throws -> IdentityPoolService {
    IdentityPoolService(
      store: store, sealing: try SealingKeys(master: SecretBytes(count: SealingKeys.masterSize) { _ in }),
      logins: LoginVerifier(), settings: .init(region: region), keyMaker: .vectors())
  }

  /// Data of an earlier version has no settings.
  @Test func dataWithoutSettingsHasTheRegionOfItsRows() async throws {
    let store = try MemoryRecordStore(tables: IdentityTables.all)
    #expect(try await region(of: store, given: "eu-west-1") == nil)
    let german = try service(store, "eu-central-1")
    try await german.keys.maintain(at: Fixture.now)
    #expect(try await region(of: store, given: nil) == "eu-central-1")
    #expect(try await region(of: store, given: "eu-west-1") == "eu-central-1")
    _ = try await service(store, "ap-south-1").createPool(named: "a")
    #expect(try await region(of: store, given: nil) == "ap-south-1")
    // Pools of several regions: that of the service, unless another one is given.
    _ = try await german.createPool(named: "b")
    #expect(try await region(of: store, given: nil) == "eu-central-1")
    #expect(try await region(of: store, given: "ap-south-1") == "ap-south-1")
    #expect(try await region(of: store, given: "us-east-1") == "eu-central-1")
  }
}

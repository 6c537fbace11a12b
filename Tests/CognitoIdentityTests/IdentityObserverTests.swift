internal import CognitoIdentity
internal import SigningKeyTesting
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Rows of another module that follow their identities.
@Suite struct IdentityObserverTests {
  private static let google = "accounts.google.com"

  /// A row of another module: a text of an identity.
  private struct Note: Sendable {
    let poolID: String
    let identityID: String
    let text: String

    static let table = Table<Note>(
      "note", key: { RecordKey($0.poolID, $0.identityID, $0.text) },
      encoding: .json(
        write: { note, _ in
          ["pool": .string(note.poolID), "identity": .string(note.identityID), "text": .string(note.text)]
        },
        read: { object, _ in
          guard let pool = object["pool"]?.string, let identity = object["identity"]?.string,
            let text = object["text"]?.string
          else { return nil }
          return Note(poolID: pool, identityID: identity, text: text)
        }))
  }

  /// Moves the notes of a merged identity, and removes those of a removed one.
  private struct Notes: IdentityObserver {
    var failsToMerge = false

    func merged(
      _ source: Identity, into destination: Identity, _ rows: WriteTransaction<IdentityError>
    ) throws(IdentityError) {
      let notes = KeyRange.prefix(RecordKey(source.poolID, source.id))
      for note in try rows.scan(Note.table, notes, limit: 10) {
        try rows.put(
          Note(poolID: destination.poolID, identityID: destination.id, text: note.text), in: Note.table)
      }
      try rows.delete(notes, from: Note.table)
      if failsToMerge { throw .storeFailed("the notes cannot be moved") }
    }

    func removed(_ identity: Identity, _ rows: WriteTransaction<IdentityError>) throws(IdentityError) {
      try rows.delete(.prefix(RecordKey(identity.poolID, identity.id)), from: Note.table)
    }

    func removeRows(
      ofPool id: String, limit: Int, _ rows: WriteTransaction<IdentityError>
    ) throws(IdentityError) -> Int {
      try rows.delete(.prefix(RecordKey(id)), from: Note.table, limit: limit)
    }
  }

  /// A service whose identities have notes.
  private struct Noted {
    let service: IdentityPoolService
    let store: MemoryRecordStore
    let poolID: String
    let issuers: FakeIssuers

    init(_ observer: Notes = Notes()) async throws {
      store = try MemoryRecordStore(tables: IdentityTables.all + [Note.table])
      service = IdentityPoolService(
        store: store, sealing: try SealingKeys(master: SecretBytes.random(count: SealingKeys.masterSize)),
        logins: LoginVerifier(), observer: observer, keyMaker: .vectors())
      issuers = try FakeIssuers()
      try await service.keys.maintain(at: Fixture.now)
      poolID = try await service.createPool(named: "app") { pool in
        pool.developerProviderName = Fixture.developer
        pool.supportedLoginProviders = [IdentityObserverTests.google: "google-web"]
      }.id
      let settings = try issuers.settings()
      try await store.write { rows throws(IdentityError) in
        for provider in settings { try rows.put(provider) }
      }
    }

    func identity(_ user: String, with others: NameMap<String> = [:]) async throws -> String {
      try await service.issueDeveloperToken(
        poolID: poolID, logins: others.merging([Fixture.developer: user]), at: Fixture.now
      ).identityID
    }

    func note(_ text: String, of identity: String) async throws {
      let note = Note(poolID: poolID, identityID: identity, text: text)
      try await store.write { rows throws(IdentityError) in try rows.put(note, in: Note.table) }
    }

    func notes() async throws -> [String] {
      try await store.read { rows throws(IdentityError) in
        try rows.scan(Note.table, limit: 100).map { "\($0.identityID) \($0.text)" }
      }
    }
  }

  @Test func rowsOfAMergedIdentityMove() async throws {
    let f = try await Noted()
    let (jane, joan) = (try await f.identity("jane"), try await f.identity("joan"))
    try await f.note("a", of: jane)
    let merged = try await f.service.mergeDeveloperIdentities(
      source: "jane", destination: "joan", provider: Fixture.developer, poolID: f.poolID)
    #expect(merged == joan)
    #expect(try await f.notes() == ["\(joan) a"])
  }

  /// The logins of a call may belong to two identities, which it merges.
  @Test func rowsMoveWhereLoginsMerge() async throws {
    let f = try await Noted()
    let token = try f.issuers.token(Self.google, "jane")
    let other = try await f.service.resolveIdentity(
      poolID: f.poolID, logins: [Self.google: token], at: Fixture.now)
    let jane = try await f.identity("jane")
    try await f.note("a", of: other)
    #expect(try await f.identity("jane", with: [Self.google: token]) == jane)
    #expect(try await f.notes() == ["\(jane) a"])
  }

  @Test func aMergeWhoseRowsCannotMoveChangesNothing() async throws {
    let f = try await Noted(Notes(failsToMerge: true))
    let (jane, joan) = (try await f.identity("jane"), try await f.identity("joan"))
    try await f.note("a", of: jane)
    let (service, poolID) = (f.service, f.poolID)
    #expect(
      await code {
        _ = try await service.mergeDeveloperIdentities(
          source: "jane", destination: "joan", provider: Fixture.developer, poolID: poolID)
      } == "store_failed")
    #expect(try await f.notes() == ["\(jane) a"])
    #expect(try await f.identity("jane") == jane)
    #expect(try await f.identity("joan") == joan)
  }

  @Test func rowsOfARemovedIdentityGo() async throws {
    let f = try await Noted()
    let (jane, joan) = (try await f.identity("jane"), try await f.identity("joan"))
    try await f.note("a", of: jane)
    try await f.note("b", of: joan)
    #expect(try await f.service.deleteIdentities([jane]).isEmpty)
    #expect(try await f.notes() == ["\(joan) b"])
  }

  /// Rows of another module count as rows of the pool, so that no transaction removes too many.
  @Test func rowsOfARemovedPoolGoInPortions() async throws {
    let f = try await Noted()
    let jane = try await f.identity("jane")
    for number in 0..<5 { try await f.note("\(number)", of: jane) }
    try await f.service.deletePool(f.poolID, portion: 2)
    #expect(try await f.notes().count == 3)
    var left: [Int] = []
    while try await f.service.continueRemovals(portion: 2) { left.append(try await f.notes().count) }
    // One transaction removes the last note and the login, the next one the identity.
    #expect(left == [1, 0, 0])
    let counts = try await f.store.read { rows throws(IdentityError) in
      [
        try rows.count(IdentityTables.identities, limit: 9), try rows.count(IdentityTables.logins, limit: 9),
        try rows.count(IdentityTables.removedPools, limit: 9),
      ]
    }
    #expect(counts == [0, 0, 0])
  }
}

/// The role with which changes of data sets are published.
@Suite struct PublishingRoleTests {
  private static let arn = "arn:aws:iam::123456789012:role/push"

  private func policy(_ pool: String, account: String = "123456789012") -> String {
    """
    {"Version": "2012-10-17", "Statement": {"Effect": "Allow",
      "Principal": {"Service": "cognito-sync.amazonaws.com"}, "Action": "sts:AssumeRole",
      "Condition": {"StringEquals": {"AWS:SourceAccount": "\(account)"}, "ArnLike": {"AWS:SourceArn":
        "arn:aws:cognito-identity:us-east-1:\(account):identitypool/\(pool)"}}}}
    """
  }

  @Test func onlyTheNamedPoolUsesTheRole() async throws {
    let f = try await Fixture(.memory)
    let other = try await f.service.createPool(named: "other")
    try await f.service.putRole(StoredRole(arn: Self.arn, trustPolicy: policy(f.pool.id)))
    let (service, poolID) = (f.service, f.pool.id)
    let session = try await service.publishingCredentials(ofRole: Self.arn, poolID: poolID).session
    #expect(session?.assumedRoleARN == "arn:aws:sts::123456789012:assumed-role/push/cognito-sync")
    #expect(session?.identityID == "")
    #expect(
      await code { _ = try await service.publishingCredentials(ofRole: Self.arn, poolID: other.id) }
        == "role_refused")
    #expect(
      await code { _ = try await service.publishingCredentials(ofRole: Self.arn + "2", poolID: poolID) }
        == "role_unknown")
    #expect(
      await code {
        _ = try await service.publishingCredentials(ofRole: Self.arn, poolID: "us-east-1:00")
      } == "role_refused")
    // Data that a removed pool left at other services is removed with its role.
    try await service.deletePool(poolID)
    #expect(
      try await service.publishingCredentials(ofRole: Self.arn, poolID: poolID).session?.assumedRoleARN
        == session?.assumedRoleARN)
  }

  @Test func anotherAccountsRoleIsRefused() async throws {
    let f = try await Fixture(.memory)
    try await f.service.putRole(
      StoredRole(arn: Self.arn, trustPolicy: policy(f.pool.id, account: "210987654321")))
    let (service, poolID) = (f.service, f.pool.id)
    #expect(
      await code { _ = try await service.publishingCredentials(ofRole: Self.arn, poolID: poolID) }
        == "role_refused")
  }

  /// A role for identities cannot be used by the service, and the other way round.
  @Test func aRoleForIdentitiesIsRefused() async throws {
    let f = try await Fixture(.memory)
    try await f.service.putRole(StoredRole(arn: Self.arn, trustPolicy: policy(f.pool.id)))
    let (service, poolID) = (f.service, f.pool.id)
    #expect(
      await code { _ = try await service.publishingCredentials(ofRole: Fixture.role, poolID: poolID) }
        == "role_refused")
    let id = try await service.resolveIdentity(poolID: poolID, at: Fixture.now)
    try await service.setRoles(["unauthenticated": Self.arn], ofPool: poolID)
    #expect(await code { _ = try await service.issueCredentials(for: id, at: Fixture.now) } == "role_refused")
  }
}

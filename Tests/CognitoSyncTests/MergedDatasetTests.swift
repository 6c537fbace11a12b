internal import CognitoIdentity
internal import CognitoSync
internal import Records
internal import Testing
internal import TokenSecurityBase

/// Data sets of identities that are merged or removed.
@Suite struct MergedDatasetTests {
  /// The names of an identity's data sets.
  private func names(_ f: PushFixture, _ owner: IdentityKey) async throws -> [String] {
    try await f.store.read(at: PushFixture.start, .fresh) { rows throws(SyncError) in
      try rows.datasets(of: owner, limit: 100).map(\.name)
    }
  }

  @Test(arguments: SyncStore.allCases)
  func aDataSetGetsTheNameOfItsIdentity(kind: SyncStore) async throws {
    let f = try await PushFixture(kind.make())
    let joan = try await f.identity(of: "joan")
    try await f.change("profile", key: "a")
    try await f.change("scores", key: "b", of: joan)
    try await f.change("profile", key: "c", of: joan)
    try await f.change("profile", key: "d", of: joan)
    try await f.merge("joan", into: "jane")
    let merged = "profile.\(joan.identityID)"
    #expect(
      try await names(f, f.identity) == ["profile", merged, "scores.\(joan.identityID)"])
    #expect(try await names(f, joan).isEmpty)
    // The client of `profile` learns of it, and its own records stay.
    let own = try await f.records("profile")
    #expect(own.mergedDatasetNames == [merged])
    #expect(own.records?.map(\.key) == ["a"] && own.datasetSyncCount == 1)
    // Records, counts and all else come along.
    let other = try await f.records(merged)
    #expect(other.records?.map(\.key) == ["c", "d"] && other.datasetSyncCount == 2)
    #expect(other.mergedDatasetNames?.isEmpty != false)
    // There need not be a data set of the name.
    let scores = try await f.records("scores")
    #expect(scores.datasetExists == false && scores.mergedDatasetNames == ["scores.\(joan.identityID)"])
    // It can be changed, and goes when it is deleted.
    try await f.change(merged, key: "e")
    #expect(try await f.records(merged).datasetSyncCount == 3)
    let dataset = DatasetKey(f.identity, name: merged)
    _ = try await f.sync.deleteDataset(dataset, f.context())
    #expect(try await f.records("profile").mergedDatasetNames?.isEmpty != false)
  }

  /// A data set that came with an earlier merge stays beside the data set that it came to.
  @Test func aSecondMergeKeepsTheName() async throws {
    let f = try await PushFixture()
    let (joan, june) = (try await f.identity(of: "joan"), try await f.identity(of: "june"))
    for owner in [f.identity, joan, june] { try await f.change("profile", of: owner) }
    try await f.merge("june", into: "joan")
    try await f.merge("joan", into: "jane")
    let expected = ["profile.\(joan.identityID)", "profile.\(june.identityID)"].sorted()
    #expect(try await f.records("profile").mergedDatasetNames?.sorted() == expected)
    #expect(try await names(f, f.identity).count == 3)
  }

  @Test func aNameThatIsTakenGetsANumber() async throws {
    let f = try await PushFixture()
    let joan = try await f.identity(of: "joan")
    let taken = "profile.\(joan.identityID)"
    try await f.change(taken, key: "own")
    try await f.change("profile", key: "other", of: joan)
    try await f.merge("joan", into: "jane")
    #expect(try await names(f, f.identity) == [taken, "\(taken).2"])
    #expect(try await f.records(taken).records?.map(\.key) == ["own"])
    #expect(try await f.records("profile").mergedDatasetNames == ["\(taken).2"])
  }

  /// A name of the most characters stays within what requests can name.
  @Test func theLongestNameCanBeMerged() async throws {
    let f = try await PushFixture()
    let (joan, june) = (try await f.identity(of: "joan"), try await f.identity(of: "june"))
    let longest = String(repeating: "n", count: 128)
    for owner in [joan, june] { try await f.change(longest, of: owner) }
    try await f.merge("joan", into: "jane")
    try await f.merge("june", into: "jane")
    let found = try await names(f, f.identity)
    #expect(found.sorted() == [joan, june].map { "\(longest).\($0.identityID)" }.sorted())
    #expect(found.allSatisfy { $0.utf8.count <= 184 })
  }

  /// A merge may leave more data sets than an identity may make.
  @Test func aMergeIgnoresTheLimit() async throws {
    let f = try await PushFixture()
    let joan = try await f.identity(of: "joan")
    for number in 0..<20 {
      try await f.change("\(number)")
      try await f.change("\(number)", of: joan)
    }
    try await f.merge("joan", into: "jane")
    #expect(try await names(f, f.identity).count == 40)
    #expect(await pushCode { try await f.change("new") } == "datasets_full")
    try await f.change("3.\(joan.identityID)")
  }

  /// One transaction moves a bounded number. What is left is found by no call, and goes with its identity.
  @Test(arguments: SyncStore.allCases)
  func mergesAreBounded(kind: SyncStore) async throws {
    let f = try await PushFixture(kind.make())
    let joan = try await f.identity(of: "joan")
    for name in ["a", "b", "c"] { try await f.change(name, of: joan) }
    try await f.change("own")
    var limits = SyncLimits()
    limits.mergedDatasets = 3
    let (into, most) = (f.identity, limits)
    try await f.store.write { rows throws(SyncError) in
      try rows.moveDatasets(of: joan, to: into, limits: most)
    }
    #expect(try await names(f, into) == ["a.\(joan.identityID)", "b.\(joan.identityID)", "own"])
    #expect(try await names(f, joan) == ["c"])
    try await f.store.write { rows throws(SyncError) in
      try rows.moveDatasets(of: joan, to: into, limits: most)
    }
    #expect(try await names(f, joan) == ["c"])
    #expect(try await f.identities.deleteIdentities([joan.identityID]).isEmpty)
    while try await f.sync.continueRemovals() {}
    #expect(try await counts(f)[1] == 3)
  }

  /// Devices belong to the identity that is gone, and messages to them with it.
  @Test func devicesAreForgotten() async throws {
    let f = try await PushFixture()
    let joan = try await f.identity(of: "joan")
    try await f.change("profile", of: joan)
    let phone = try await f.device("phone", of: joan, subscribedTo: ["profile"])
    try await f.change("profile", of: joan)
    #expect(try await f.waiting().map(\.deviceID) == [phone])
    try await f.merge("joan", into: "jane")
    #expect(try await f.waiting().isEmpty)
    try await f.change("profile.\(joan.identityID)")
    #expect(try await f.waiting().isEmpty)
    #expect(
      await pushCode { try await f.subscribe(phone, to: "profile.\(joan.identityID)") }
        == "sync_device_unknown")
  }

  @Test(arguments: SyncStore.allCases)
  func aRemovedIdentityTakesItsDataSetsAlong(kind: SyncStore) async throws {
    let f = try await PushFixture(kind.make())
    let joan = try await f.identity(of: "joan")
    try await f.change("profile", of: joan)
    try await f.change("profile")
    _ = try await f.device("phone", of: joan, subscribedTo: ["profile"])
    try await f.change("profile", of: joan)
    #expect(try await f.identities.deleteIdentities([joan.identityID]).isEmpty)
    #expect(await pushCode { _ = try await f.sync.describeUsage(joan, f.context()) } == "identity_unknown")
    #expect(try await names(f, joan).isEmpty)
    #expect(try await f.waiting().isEmpty)
    while try await f.sync.continueRemovals() {}
    #expect(try await counts(f) == [1, 1, 0, 0, 0])
  }

  /// The data sets, records, records to be removed, devices and subscriptions that are left.
  private func counts(_ f: PushFixture) async throws -> [Int] {
    try await f.store.read(at: PushFixture.start, .fresh) { rows throws(SyncError) in
      [
        try rows.count(SyncTables.datasets, limit: 100), try rows.count(SyncTables.records, limit: 100),
        try rows.count(SyncTables.removedDatasets, limit: 100),
        try rows.count(SyncTables.devices, limit: 100),
        try rows.count(SyncTables.subscriptions, limit: 100),
      ]
    }
  }

  @Test(arguments: SyncStore.allCases)
  func aRemovedPoolTakesAllAlongInPortions(kind: SyncStore) async throws {
    let f = try await PushFixture(kind.make())
    for name in ["a", "b", "c"] { try await f.change(name) }
    _ = try await f.device("phone", subscribedTo: ["a", "b"])
    _ = try await f.device("tablet", subscribedTo: ["a"])
    try await f.change("a")
    _ = try await f.sync.deleteDataset(DatasetKey(f.identity, name: "c"), f.context())
    let poolID = f.identity.poolID
    try await f.identities.deletePool(poolID, portion: 2)
    let configuration = try await f.store.read(at: PushFixture.start, .fresh) { rows throws(SyncError) in
      try rows.pushConfiguration(poolID)
    }
    #expect(configuration == nil)
    #expect(await pushCode { _ = try await f.sync.describeUsage(f.identity, f.context()) } == "pool_unknown")
    var portions = 0
    while try await f.identities.continueRemovals(portion: 2) { portions += 1 }
    // Two data sets; two devices; two messages; the floor and a login; the identity.
    #expect(portions == 4)
    while try await f.sync.continueRemovals() {}
    #expect(try await counts(f) == [0, 0, 0, 0, 0])
    #expect(try await f.waiting().isEmpty)
    let left = try await f.store.read(at: PushFixture.start, .fresh) { rows throws(SyncError) in
      try rows.count(SyncTables.floors, limit: 10)
    }
    #expect(left == 0)
  }
}

/// The role of a pool's push messages.
@Suite struct PushRoleTests {
  private func set(_ f: PushFixture, _ role: String, poolID: String? = nil) async -> String {
    let poolID = poolID ?? f.identity.poolID
    return await pushCode {
      _ = try await f.sync.setConfiguration(
        SetIdentityPoolConfiguration.Input {
          $0.poolID = poolID
          $0.push = PushSettings {
            $0.applicationARNs = [PushFixture.application]
            $0.roleARN = role
          }
        }, f.context())
    }
  }

  @Test func onlyARoleForThePoolIsAccepted() async throws {
    let f = try await PushFixture()
    #expect(await set(f, PushFixture.role) == "")
    #expect(await set(f, "arn:aws:iam::123456789012:role/none") == "sync_parameter_refused")
    let other = try await f.identities.createPool(named: "other")
    #expect(await set(f, PushFixture.role, poolID: other.id) == "sync_parameter_refused")
    // A role for identities.
    let arn = "arn:aws:iam::123456789012:role/app"
    try await f.identities.putRole(
      StoredRole(
        arn: arn,
        trustPolicy: """
          {"Version": "2012-10-17", "Statement": {"Effect": "Allow",
            "Principal": {"Federated": "cognito-identity.amazonaws.com"},
            "Action": "sts:AssumeRoleWithWebIdentity",
            "Condition": {"StringEquals": {"cognito-identity.amazonaws.com:aud": "\(f.identity.poolID)"}}}}
          """))
    #expect(await set(f, arn) == "sync_parameter_refused")
  }

  /// A policy without either condition is not loaded, so that no configuration can name its role.
  @Test(arguments: [
    #"{"StringEquals": {"AWS:SourceAccount": "123456789012"}}"#,
    #"{"ArnLike": {"AWS:SourceArn": "POOL"}}"#, "{}",
    #"{"StringLike": {"AWS:SourceAccount": "*"}, "ArnLike": {"AWS:SourceArn": "POOL"}}"#,
    #"{"StringEquals": {"AWS:SourceAccount": "123456789012"}, "ArnLike": {"AWS:SourceArn": "*"}}"#,
  ])
  func aPolicyWithoutBothConditionsIsRefused(_ condition: String) async throws {
    let f = try await PushFixture()
    let arn = "arn:aws:iam::123456789012:role/loose"
    let pool = "arn:aws:cognito-identity:us-east-1:123456789012:identitypool/\(f.identity.poolID)"
    let policy = """
      {"Version": "2012-10-17", "Statement": {"Effect": "Allow",
        "Principal": {"Service": "cognito-sync.amazonaws.com"}, "Action": "sts:AssumeRole",
        "Condition": \(condition.replacing("POOL", with: pool))}}
      """
    #expect(
      await pushCode { try await f.identities.putRole(StoredRole(arn: arn, trustPolicy: policy)) }
        == "trust_policy_invalid")
    #expect(await set(f, arn) == "sync_parameter_refused")
  }
}

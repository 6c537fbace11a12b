internal import CognitoSyncClient
internal import Foundation
internal import Testing
internal import TokenLifetime
internal import TokenSecurityVectorFiles

/// Requirements of every store, in memory and in a file.
@Suite struct StoreTests {
  enum Kind: CaseIterable { case memory, file }

  private let id = DatasetID(identityID: "us-east-1:a", name: "settings")

  private func dataset(_ name: String, of identityID: String? = "us-east-1:a", count: Int64 = 3)
    -> LocalDataset
  {
    LocalDataset(
      id: DatasetID(identityID: identityID, name: name), lastSyncCount: count, created: 100, lastModified: 200
    )
  }

  private func record(_ key: String, _ value: String? = "v", count: Int64 = 2) -> DatasetRecord {
    DatasetRecord(
      key: key, value: value, syncCount: count, lastModified: 300, lastModifiedBy: "device",
      deviceLastModified: Timestamp(since1970: .milliseconds(250_125)), isModified: true)
  }

  /// Calls `body` with a store of each kind; the file's folder is removed at the end.
  private func with(_ kind: Kind, _ body: (any LocalDatasetStore) async throws -> Void) async throws {
    guard kind == .file else { return try await body(MemoryDatasetStore()) }
    try await TestFolder.with { folder in
      let store = try SQLiteDatasetStore(path: "\(folder)/datasets.sqlite")
      try await body(store)
      try await store.close()
    }
  }

  @Test(arguments: Kind.allCases) func valuesAreStored(_ kind: Kind) async throws {
    let (id, settings, theme) = (self.id, dataset("settings"), record("theme"))
    try await with(kind) { store in
      try await store.write { rows throws(SyncClientError) in
        try rows.put(settings)
        try rows.put(theme, in: id)
      }
      #expect(try await store.dataset(id) == settings)
      #expect(try await store.record("theme", of: id) == theme)
      #expect(try await store.records(of: id) == [theme])
      #expect(try await store.record("Theme", of: id) == nil)
      #expect(try await store.dataset(DatasetID(identityID: nil, name: "settings")) == nil)
    }
  }

  @Test(arguments: Kind.allCases) func valuesAreReplaced(_ kind: Kind) async throws {
    let id = self.id
    let datasets = [dataset("settings"), dataset("settings", count: 9)]
    let records = [record("theme"), record("theme", nil, count: 0)]
    try await with(kind) { store in
      let seen = try await store.write { rows throws(SyncClientError) in
        for dataset in datasets { try rows.put(dataset) }
        for record in records { try rows.put(record, in: id) }
        return try rows.record("theme", of: id)
      }
      #expect(seen == records[1])
      #expect(try await store.dataset(id) == datasets[1])
      #expect(try await store.records(of: id) == [records[1]])
    }
  }

  @Test(arguments: Kind.allCases) func listsAreInOrder(_ kind: Kind) async throws {
    let names = ["b", "a", "B", "a.b", "a-b"]
    let keys = ["é", "e", "e\u{301}", "z", "\u{0}", ""]
    let (id, datasets, records) = (self.id, names.map { dataset($0) }, keys.map { record($0) })
    let others = [dataset("c", of: "us-east-1:b"), dataset("d", of: nil)]
    try await with(kind) { store in
      try await store.write { rows throws(SyncClientError) in
        for dataset in datasets + others { try rows.put(dataset) }
        for record in records { try rows.put(record, in: id) }
      }
      #expect(try await store.names(of: "us-east-1:a") == ["B", "a", "a-b", "a.b", "b"])
      #expect(try await store.names(of: nil) == ["d"])
      let found = try await store.records(of: id).map { Array($0.key.utf8) }
      #expect(found == ["", "\u{0}", "e", "e\u{301}", "z", "é"].map { Array($0.utf8) })
    }
  }

  @Test(arguments: Kind.allCases) func anErrorStoresNothing(_ kind: Kind) async throws {
    let (id, settings, theme) = (self.id, dataset("settings"), record("theme"))
    try await with(kind) { store in
      await expectSyncError(.stopped) {
        try await store.write { rows throws(SyncClientError) in
          try rows.put(settings)
          try rows.put(theme, in: id)
          throw .stopped(.merge)
        }
      }
      let (dataset, records) = try await (store.dataset(id), store.records(of: id))
      #expect(dataset == nil && records.isEmpty)
    }
  }

  @Test(arguments: Kind.allCases) func deletions(_ kind: Kind) async throws {
    let id = self.id
    let other = DatasetID(identityID: id.identityID, name: "settings.more")
    let (datasets, records) = ([dataset("settings"), dataset("settings.more")], [record("a"), record("b")])
    try await with(kind) { store in
      try await store.write { rows throws(SyncClientError) in
        for dataset in datasets {
          try rows.put(dataset)
          for record in records { try rows.put(record, in: dataset.id) }
        }
        try rows.deleteRecord("a", of: other)
        try rows.deleteRecord("c", of: other)
        try rows.delete(id)
        try rows.delete(DatasetID(identityID: nil, name: "settings"))
      }
      #expect(try await store.dataset(id) == nil)
      #expect(try await store.records(of: id).isEmpty)
      #expect(try await store.dataset(other) == datasets[1])
      #expect(try await store.records(of: other) == [records[1]])
      try await store.write { rows throws(SyncClientError) in
        try rows.put(DeviceRegistration(identityID: "us-east-1:a", platform: .gcm, deviceID: "d"))
        try rows.deleteAll()
      }
      #expect(try await store.names(of: "us-east-1:a").isEmpty)
      #expect(try await store.records(of: other).isEmpty)
      #expect(try await store.registration(of: "us-east-1:a") == nil)
    }
  }

  @Test(arguments: Kind.allCases) func anIdentityHasOneRegistration(_ kind: Kind) async throws {
    let first = DeviceRegistration(identityID: "us-east-1:a", platform: .gcm, deviceID: "first")
    let second = DeviceRegistration(identityID: "us-east-1:a", platform: .apnsSandbox, deviceID: "second")
    try await with(kind) { store in
      try await store.write { rows throws(SyncClientError) in
        try rows.put(first)
        try rows.put(second)
      }
      #expect(try await store.registration(of: "us-east-1:a") == second)
      #expect(try await store.registration(of: "us-east-1:b") == nil)
      try await store.write { rows throws(SyncClientError) in
        try rows.deleteRegistration(of: "us-east-1:a")
      }
      #expect(try await store.registration(of: "us-east-1:a") == nil)
    }
  }

  /// Other clients may have keys of 1,024 characters, and values of a megabyte in which each character needs an
  /// escape in JSON.
  @Test(arguments: Kind.allCases) func largeRecordsAreStored(_ kind: Kind) async throws {
    let id = self.id
    let keys = ["x", "y"].map { String(repeating: "\u{10FFFF}", count: 1_023) + $0 }
    let value = String(repeating: "\u{1}", count: 1_048_575)
    let records = [record(keys[0], value), record(keys[1], nil)]
    try await with(kind) { store in
      try await store.write { rows throws(SyncClientError) in
        for record in records { try rows.put(record, in: id) }
      }
      #expect(try await store.records(of: id) == records)
      #expect(try await store.record(keys[1], of: id) == records[1])
      try await store.write { rows throws(SyncClientError) in try rows.deleteRecord(keys[0], of: id) }
      #expect(try await store.records(of: id) == [records[1]])
    }
  }

  @Test func aFileIsReadAgain() async throws {
    let (id, settings, theme) = (self.id, dataset("settings"), record("theme", "d\nark"))
    let registration = DeviceRegistration(identityID: "us-east-1:a", platform: .adm, deviceID: "d")
    try await TestFolder.with { folder in
      let path = "\(folder)/datasets.sqlite"
      let first = try SQLiteDatasetStore(path: path)
      try await first.write { rows throws(SyncClientError) in
        try rows.put(settings)
        try rows.put(theme, in: id)
        try rows.put(registration)
      }
      try await first.close()
      let second = try SQLiteDatasetStore(path: path)
      #expect(try await second.dataset(id) == settings)
      #expect(try await second.records(of: id) == [theme])
      #expect(try await second.registration(of: "us-east-1:a") == registration)
      try await second.close()
      await expectSyncError(.storeUnavailable) {
        _ = try await second.dataset(id)
      }
    }
  }

  @Test func aFileOfOthersIsRefused() async throws {
    try await TestFolder.with { folder in
      let path = "\(folder)/datasets.sqlite"
      try Data("no database".utf8).write(to: URL(filePath: path))
      await expectSyncError(.storeUnavailable) { _ = try SQLiteDatasetStore(path: path) }
    }
  }
}

internal import CognitoSyncClient
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

/// Two devices and the service under random operations: lost requests and responses, processes that end while they
/// write, devices that start again, both at the same time. The service starts again with every call.
///
/// A model has what must come out: as the later change wins, the last value of each key, or its removal.
@Suite struct ConvergenceTests {
  @Test func inMemory() async throws {
    let trial = try await Trial(seed: 19, stores: [MemoryDatasetStore(), MemoryDatasetStore()])
    let operations = TestScale.count(10_000)
    try await trial.run(operations: operations)
    #expect(trial.failures > operations / 100)
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func shortOnes(seed: UInt64) async throws {
    let trial = try await Trial(seed: seed, stores: [MemoryDatasetStore(), MemoryDatasetStore()])
    try await trial.run(operations: TestScale.count(600, minimum: 120))
  }

  /// Few keys, compared often: what is wrong for a moment only is seen, before another change hides it.
  @Test(arguments: [4, 5, 6] as [UInt64]) func fewKeys(seed: UInt64) async throws {
    let stores = [MemoryDatasetStore(), MemoryDatasetStore()]
    let trial = try await Trial(seed: seed, stores: stores, names: ["modelled"], keys: 2, checkingEach: 15)
    try await trial.run(operations: TestScale.count(8_000))
  }

  @Test func inFiles() async throws {
    try await TestFolder.with { folder in
      let stores = try ["a", "b"].map { try SQLiteDatasetStore(path: "\(folder)/\($0).sqlite") }
      let trial = try await Trial(seed: 7, stores: stores)
      try await trial.run(operations: TestScale.count(600, minimum: 120))
      for store in stores { try await store.close() }
    }
  }
}

/// One series of operations.
private final class Trial {
  /// Records of all are put and removed, and `deleted` is deleted now and then. Of `modelled` a device removes only what
  /// it has: to remove another record changes nothing.
  static let allNames = ["modelled", "mixed", "deleted"]
  private let names: [String]
  private let keys: [String]
  /// After how many operations the devices are compared.
  private let interval: Int
  private let service: LocalSync
  private let identityID: String
  private let stores: [CrashingStore]
  private var devices: [SyncDatasets] = []
  /// The same data sets as applications change them: their processes do not end meanwhile.
  private let writers: [SyncDatasets]
  private var generator: SeededGenerator
  private let seed: UInt64

  /// The last value of each key of `modelled` that was not removed since.
  private var model: [ExactString: String] = [:]
  /// All values that a key ever had.
  private var values: [ExactString: Set<ExactString>] = [:]
  private var number = 0
  /// Synchronisations that failed.
  private(set) var failures = 0

  init(
    seed: UInt64, stores: [any LocalDatasetStore], names: [String] = Trial.allNames, keys: Int = 8,
    checkingEach interval: Int = 500
  ) async throws {
    self.seed = seed
    self.names = names
    self.keys = (0..<keys).map { "key-\($0)" }
    self.interval = interval
    generator = SeededGenerator(seed: seed)
    let local = try await LocalSync()
    let owner = try await local.addIdentity()
    service = local
    identityID = owner
    let crashing = stores.enumerated().map { CrashingStore($1, seed: seed &+ UInt64($0)) }
    self.stores = crashing
    writers = try stores.map { try local.client(TestIdentity(owner), store: $0) }
    devices = try crashing.map { try local.client(TestIdentity(owner), store: $0) }
  }

  func run(operations: Int) async throws {
    for operation in 1...operations {
      try await step()
      if operation % interval == 0 || operation == operations { try await check(after: operation) }
    }
  }

  private func step() async throws {
    let device = Int.random(in: 0..<2, using: &generator)
    let name = names.randomElement(using: &generator) ?? "modelled"
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<55:
      let change = newChange(of: name)
      try await writers[device].dataset(name).put(change.value, for: change.key)
    case 55..<65 where name == "modelled":
      let key = keys.randomElement(using: &generator) ?? ""
      guard try await writers[device].dataset(name).value(for: key) != nil else { return }
      try await writers[device].dataset(name).remove(key)
      model[ExactString(key)] = nil
    case 55..<65:
      let key = keys.randomElement(using: &generator) ?? ""
      try await writers[device].dataset(name).remove(key)
    case 65..<67 where name == "deleted": try await writers[device].dataset(name).delete()
    case 67..<70:
      devices[device] = try service.client(TestIdentity(identityID), store: stores[device])
    case 70..<75: await synchronise([0, 1], name)
    default: await synchronise([device], name)
    }
  }

  /// A new value, which the model has from now on.
  private func newChange(of name: String) -> (key: String, value: String) {
    let key = keys.randomElement(using: &generator) ?? ""
    number += 1
    let value = "\(number)"
    values[ExactString("\(name) \(key)"), default: []].insert(ExactString(value))
    if name == "modelled" { model[ExactString(key)] = value }
    return (key, value)
  }

  /// Synchronises under faults, at the same time where there are several devices. Now and then an application changes
  /// a record meanwhile.
  private func synchronise(_ numbers: [Int], _ name: String) async {
    service.lose(FaultGenerator(seed: generator.next(), requests: 80, responses: 80))
    for store in stores { store.setCrashes(true) }
    let deletion: DeletionResponse = Bool.random(using: &generator) ? .purge : .restore
    let datasets = numbers.compactMap { try? devices[$0].dataset(name) }
    let writer = writers[Int.random(in: 0..<2, using: &generator)]
    let change = Bool.random(using: &generator) ? newChange(of: name) : nil
    failures += await withTaskGroup(of: Int.self) { group in
      for dataset in datasets {
        group.addTask {
          do {
            try await dataset.synchronize(TestHandler(deletion: deletion))
            return 0
          } catch { return 1 }
        }
      }
      if let change {
        group.addTask {
          do {
            try await writer.dataset(name).put(change.value, for: change.key)
            return 0
          } catch {
            Issue.record("a change failed: \(error)")
            return 0
          }
        }
      }
      return await group.reduce(0) { $0 + $1 }
    }
    for store in stores { store.setCrashes(false) }
    service.lose(nil)
  }

  /// Without faults, all become equal: both devices, and one that takes everything from the service.
  private func check(after operation: Int) async throws {
    let place: Comment = "seed \(seed), after \(operation) operations"
    for name in names {
      let datasets = try devices.map { try $0.dataset(name) }
      for _ in 0..<2 {
        for dataset in datasets { try await dataset.synchronize(TestHandler(deletion: .purge)) }
      }
      let fresh = try service.client(TestIdentity(identityID)).dataset(name)
      try await fresh.synchronize()
      let expected = try await fresh.records()
      for dataset in datasets {
        #expect(try await dataset.records() == expected, place)
        #expect(try await !dataset.isModified(), place)
      }
      for record in expected {
        let known = values[ExactString("\(name) \(record.key)")] ?? []
        #expect(known.contains(ExactString(record.value ?? "")), place)
      }
      if name == "modelled" {
        var found: [ExactString: String] = [:]
        for record in expected { found[ExactString(record.key)] = record.value }
        #expect(found == model, place)
      }
    }
  }
}

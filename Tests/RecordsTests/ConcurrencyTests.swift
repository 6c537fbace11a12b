internal import Dispatch
internal import Records
internal import Testing
internal import TokenSecurityTesting

/// Transactions of many tasks have a result as if they had run one after the other.
@Suite struct ConcurrencyTests {
  typealias Failure = RecordStoreError

  @Test(arguments: EngineKind.allCases) func noUpdateIsLost(_ kind: EngineKind) async throws {
    let f = try await StoreFixture(kind)
    let store = f.store
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<25 {
            try await store.write { rows throws(Failure) in
              var counter = try rows.get(Counter.table, RecordKey("c")) ?? Counter(name: "c", value: 0)
              counter.value += 1
              try rows.put(counter, in: Counter.table)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let counter = try await store.read { rows throws(Failure) in try rows.get(Counter.table, RecordKey("c")) }
    #expect(counter?.value == 200)
    await f.remove()
  }

  /// Two transactions read both rows and each changes one of them: at most one may see both as they were.
  @Test(arguments: EngineKind.allCases) func writesDoNotSkew(_ kind: EngineKind) async throws {
    let f = try await StoreFixture(kind)
    let store = f.store
    for round in 0..<20 {
      try await store.write { rows throws(Failure) in
        for name in ["a", "b"] { try rows.put(Counter(name: "\(name)\(round)", value: 1), in: Counter.table) }
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for name in ["a", "b"] {
          group.addTask {
            try await store.write { rows throws(Failure) in
              let both = try rows.scan(Counter.table, limit: 1_000).filter {
                $0.name == "a\(round)" || $0.name == "b\(round)"
              }
              // At least one must remain.
              guard both.reduce(0, { $0 + $1.value }) == 2 else { return }
              try rows.put(Counter(name: "\(name)\(round)", value: 0), in: Counter.table)
            }
          }
        }
        try await group.waitForAll()
      }
      let sum = try await store.read { rows throws(Failure) in
        [
          try rows.get(Counter.table, RecordKey("a\(round)")),
          try rows.get(Counter.table, RecordKey("b\(round)")),
        ]
        .reduce(0) { $0 + ($1?.value ?? 0) }
      }
      #expect(sum == 1)
    }
    await f.remove()
  }

  @Test(arguments: EngineKind.allCases) func oneOfManyGetsAUniqueValue(_ kind: EngineKind) async throws {
    let f = try await StoreFixture(kind)
    let store = f.store
    for round in 0..<10 {
      let winners = await withTaskGroup(of: String.self) { group in
        for number in 0..<8 {
          group.addTask {
            do throws(Failure) {
              try await store.write { rows throws(Failure) in
                try rows.put(Person("a", round * 100 + number, email: "mail\(round)"), in: Person.table)
              }
              return "won"
            } catch {
              return error.codeText
            }
          }
        }
        return await group.reduce(into: [String]()) { $0.append($1) }
      }
      #expect(winners.sorted() == Array(repeating: "record_unique_violated", count: 7) + ["won"])
    }
    await f.remove()
  }

  /// Writes that wait for the disk are bounded: a store that is too slow refuses, and changes nothing.
  @Test func waitingWritesAreBounded() async throws {
    let f = try await StoreFixture(.sqlite)
    let store = f.store
    let (begun, mayEnd) = (Gate(), DispatchSemaphore(value: 0))
    let first = Task.detached {
      try await store.write { rows throws(Failure) in
        begun.open()
        // A thread of the store's.
        mayEnd.wait()
        try rows.put(Counter(name: "first", value: 1), in: Counter.table)
      }
    }
    await begun.pass()
    let results = await withTaskGroup(of: String.self) { group in
      for number in 0..<4_096 + 10 {
        group.addTask {
          do throws(Failure) {
            try await store.write { rows throws(Failure) in
              try rows.put(Counter(name: "n\(number)", value: 1), in: Counter.table)
            }
            return "stored"
          } catch {
            return error.codeText
          }
        }
      }
      var results: [String: Int] = [:]
      for await result in group {
        results[result, default: 0] += 1
        if results["record_store_busy"] == 10 { mayEnd.signal() }
      }
      return results
    }
    try await first.value
    #expect(results == ["record_store_busy": 10, "stored": 4_096])
    let count = try await store.read { rows throws(Failure) in try rows.count(Counter.table, limit: 5_000) }
    #expect(count == 4_097)
    await f.remove()
  }

  /// A read sees one state: the sum of two rows that always change together.
  @Test(arguments: EngineKind.allCases) func readsSeeOneState(_ kind: EngineKind) async throws {
    let f = try await StoreFixture(kind)
    let store = f.store
    try await store.write { rows throws(Failure) in
      try rows.put(Counter(name: "a", value: 0), in: Counter.table)
      try rows.put(Counter(name: "b", value: 0), in: Counter.table)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for number in 1...100 {
          try await store.write { rows throws(Failure) in
            try rows.put(Counter(name: "a", value: number), in: Counter.table)
            try rows.put(Counter(name: "b", value: -number), in: Counter.table)
          }
        }
      }
      for _ in 0..<3 {
        group.addTask {
          for _ in 0..<300 {
            let sum = try await store.read(at: .now, kind.snapshotFreshness) { rows throws(Failure) in
              (try rows.get(Counter.table, RecordKey("a"))?.value ?? 0)
                + (try rows.get(Counter.table, RecordKey("b"))?.value ?? 0)
            }
            #expect(sum == 0)
          }
        }
      }
      try await group.waitForAll()
    }
    await f.remove()
  }
}

extension EngineKind {
  /// With which reads see one state.
  var snapshotFreshness: ReadFreshness { self == .postgresql ? .fresh : .cached }
}

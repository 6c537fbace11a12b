internal import Records
internal import Testing
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

/// Random transactions give the results of a model, on every engine.
@Suite struct ModelTests {
  @Test(arguments: EngineKind.allCases, 1...3) func storesDoWhatTheModelDoes(_ kind: EngineKind, _ seed: Int)
    async throws
  {
    let f = try await StoreFixture(kind)
    var generator = SeededGenerator(seed: UInt64(seed))
    var model = Model()
    var now = Timestamp(seconds: 1_000)
    for round in 0..<kind.rounds {
      now += .seconds(Int64.random(in: 0...3, using: &generator))
      let steps = (0..<Int.random(in: 1...8, using: &generator)).map { _ in Step(&generator, now) }
      let isReading = Bool.random(using: &generator)
      let isRefused = Int.random(in: 0..<5, using: &generator) == 0
      var expected: [String] = []
      var changed = model
      if !isReading { changed.begin(now) }
      for step in steps where !isReading || !step.isWriting { expected.append(step.run(on: &changed, now)) }
      let found: [String]
      if isReading {
        let steps = steps.filter { !$0.isWriting }
        found = try await f.store.read(at: now) { rows throws(RecordStoreError) in
          var found: [String] = []
          for step in steps { found.append(try step.read(rows)) }
          return found
        }
      } else {
        let log = Results()
        do throws(RuleError) {
          _ = try await f.store.write(at: now) { rows throws(RuleError) in
            log.clear()
            for step in steps { log.add(try step.write(rows)) }
            if isRefused { throw .refused }
          }
          #expect(!isRefused)
          model = changed
          model.commit()
        } catch {
          #expect(isRefused && error == .refused, "\(error)")
          model.keepClock(of: changed)
        }
        found = log.all
      }
      #expect(
        found.map { Array($0.utf8) } == expected.map { Array($0.utf8) },
        "round \(round) of seed \(seed): \(steps)")
      guard found == expected else { break }
    }
    let all = try await f.store.read(at: now) { rows throws(RecordStoreError) in
      try rows.scan(Person.table, limit: .max)
    }
    #expect(all == model.sorted(now))
    await f.remove()
  }
}

extension EngineKind {
  /// The number of random transactions.
  var rounds: Int {
    switch self {
    case .memory, .cachedMemory: TestScale.count(3_000)
    case .sqlite, .uncachedSQLite: TestScale.count(1_000)
    case .postgresql, .uncachedPostgreSQL: TestScale.count(400)
    }
  }
}

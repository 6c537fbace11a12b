internal import Records
internal import RecordsPostgreSQL
internal import Testing
internal import TokenSecurityTesting

/// For how long rows are read from the cache without news of other nodes, by a clock that the test sets.
@Suite struct StalenessTests {
  private let clock = SettableClock()
  private let tracker: ChangeTracker

  init() {
    let clock = clock
    tracker = ChangeTracker([Person.table.layout, Counter.table.layout], clock: { clock.instant })
  }

  private func numbers() throws -> [Int64]? { try tracker.versions()?.numbers }

  private func receive(_ changed: ChangedRows, id: Int64 = 1) {
    tracker.receive([RecordedChanges.text(id, changed, tables: ["person", "counter"])], limit: 10)
  }

  @Test func nothingIsKnownTwoSecondsAfterTheLastAnsweredQuestion() throws {
    #expect(try numbers() == nil)
    let asked = clock.instant
    // However late the answer comes, the time of the question counts.
    clock.advance(by: .milliseconds(1_400))
    tracker.setAlive(until: asked + ChangeTracker.staleness)
    #expect(ChangeTracker.staleness == .seconds(2))
    #expect(try numbers() == [0, 0])
    clock.advance(by: .milliseconds(599))
    #expect(try numbers() == [0, 0])
    clock.advance(by: .milliseconds(1))
    #expect(try numbers() == nil)
    // An answer that comes even later changes nothing.
    tracker.setAlive(until: asked + ChangeTracker.staleness)
    #expect(try numbers() == nil)
    tracker.setAlive(until: clock.instant + ChangeTracker.staleness)
    #expect(try numbers() == [0, 0])
    tracker.setAlive(until: nil)
    #expect(try numbers() == nil)
  }

  @Test func changesOfOthersCount() throws {
    tracker.setAlive(until: clock.instant + .seconds(2))
    var changed = ChangedRows()
    changed.add(0, RecordKey("a", 1))
    receive(changed)
    #expect(try numbers() == [1, 0])
    #expect(tracker.keys(of: 0, version: 1) == [RecordKey("a", 1)])
    changed = ChangedRows()
    changed.addAll(1)
    receive(changed)
    #expect(try numbers() == [1, 1])
    #expect(tracker.keys(of: 1, version: 1) == nil)
    // Changes that cannot be read, and more than are listed, may concern everything.
    tracker.receive(["person=02"], limit: 10)
    #expect(try numbers() == [2, 2])
    tracker.receive(Array(repeating: "1", count: 11), limit: 10)
    #expect(try numbers() == [3, 3])
  }

  @Test func ownChangesCountOnce() throws {
    tracker.setAlive(until: clock.instant + .seconds(2))
    var changed = ChangedRows()
    changed.add(0, RecordKey("a", 1))
    tracker.expect(7)
    tracker.add(7, changed)
    receive(changed, id: 7)
    #expect(try numbers() == [1, 0])
    // One that may have been committed counts again when others see it.
    tracker.expect(8)
    tracker.forget(8)
    receive(changed, id: 8)
    #expect(try numbers() == [2, 0])
  }

  /// The listener may receive a transaction before its own node knows that it was committed.
  @Test func ownChangesCountBeforeTheCommitIsAnswered() throws {
    tracker.setAlive(until: clock.instant + .seconds(2))
    var changed = ChangedRows()
    changed.add(0, RecordKey("a", 1))
    tracker.expect(7)
    receive(changed, id: 7)
    #expect(try numbers() == [1, 0])
    // The late answer counts again, and leaves nothing by which a later record would be ignored.
    tracker.add(7, changed)
    #expect(try numbers() == [2, 0])
    receive(changed, id: 7)
    #expect(try numbers() == [3, 0])
  }
}

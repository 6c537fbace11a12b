internal import Records
internal import Synchronization
internal import Testing

/// Whether a store can be written.
@Suite struct WriteHealthTests {
  private final class Place: Sendable {
    let uptime = Mutex(Duration.seconds(100))
    private let outcome = Mutex<RecordStoreError?>(nil)
    private let count = Mutex(0)

    /// The writes so far.
    var writes: Int { count.withLock { $0 } }

    /// Lets writes fail from now on; nil lets them work.
    func fail(_ error: RecordStoreError?) { outcome.withLock { $0 = error } }

    func write() throws(RecordStoreError) {
      count.withLock { $0 += 1 }
      if let error = outcome.withLock({ $0 }) { throw error }
    }

    func advance(_ seconds: Int64) { uptime.withLock { $0 += .seconds(seconds) } }
  }

  private static func make() -> (Place, WriteHealth) {
    let place = Place()
    return (place, WriteHealth(interval: .seconds(2)) { place.uptime.withLock { $0 } })
  }

  private static func problem(_ place: Place, _ health: WriteHealth) async -> RecordStoreError? {
    await health.problem { () throws(RecordStoreError) in try place.write() }
  }

  @Test func nothingIsWrittenWhileWritesWork() async {
    let (place, health) = Self.make()
    for _ in 0..<10 {
      #expect(await Self.problem(place, health) == nil)
      place.advance(10)
    }
    #expect(place.writes == 0)
  }

  @Test func aFailureLastsUntilAWriteWorks() async {
    let (place, health) = Self.make()
    let full = RecordStoreError.unavailable("SQLite 13: database or disk is full")
    place.fail(full)
    health.doubt()
    #expect(await Self.problem(place, health) == full)
    #expect(place.writes == 1)
    // At most one write in an interval, however many calls fail.
    for _ in 0..<1_000 { health.doubt() }
    place.advance(1)
    #expect(await Self.problem(place, health) == full)
    #expect(place.writes == 1)
    // It is tried again without another call.
    place.advance(1)
    #expect(await Self.problem(place, health) == full)
    #expect(place.writes == 2)
    place.fail(nil)
    place.advance(1)
    #expect(await Self.problem(place, health) == full)
    place.advance(1)
    #expect(await Self.problem(place, health) == nil)
    #expect(place.writes == 3)
    place.advance(10)
    #expect(await Self.problem(place, health) == nil)
    #expect(place.writes == 3)
  }

  /// A call that fails alone says nothing of the store.
  @Test func aDoubtThatIsUnfounded() async {
    let (place, health) = Self.make()
    for number in 1...3 {
      health.doubt()
      #expect(await Self.problem(place, health) == nil)
      #expect(place.writes == number)
      place.advance(2)
    }
  }

  @Test(arguments: [RecordStoreError.busy("4096 writes wait"), .tooManyRetries(attempts: 10)])
  func loadIsNoFailure(_ error: RecordStoreError) async {
    let (place, health) = Self.make()
    place.fail(error)
    health.doubt()
    #expect(await Self.problem(place, health) == nil)
    // The doubt is left.
    place.fail(.closed)
    place.advance(2)
    #expect(await Self.problem(place, health) == .closed)
    // Load does not end a failure either.
    place.fail(error)
    place.advance(2)
    #expect(await Self.problem(place, health) == .closed)
  }

  /// A write that fails while another one works is another doubt.
  @Test func aDoubtMeanwhile() async {
    let (place, health) = Self.make()
    health.doubt()
    let first = await health.problem { () throws(RecordStoreError) in
      try place.write()
      health.doubt()
    }
    #expect(first == nil)
    place.fail(.closed)
    place.advance(2)
    #expect(await Self.problem(place, health) == .closed)
  }
}

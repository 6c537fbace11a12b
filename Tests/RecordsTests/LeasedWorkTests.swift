internal import Records
internal import Synchronization
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityPlatform
internal import TokenSecurityTesting

/// Slots that are counted, and work that takes them.
@Suite struct LeasedWorkTests {
  private typealias Slots = CountedSlots<ExactString>

  @Test func slotsAreCountedInAllAndForEachKey() throws {
    let slots = Slots(3, ofKey: 2)
    var held = [try slots.taken(for: "a"), try slots.taken(for: "a")]
    #expect(throws: Slots.Full.ofKey(2)) { _ = try slots.taken(for: "a") }
    held.append(try slots.taken(for: "b"))
    #expect(throws: Slots.Full.total(3)) { _ = try slots.taken(for: "c") }
    #expect(slots.slot(for: "b") == nil && slots.free.total == 0)
    held.removeFirst()
    #expect(slots.free.total == 1 && slots.free.has("a") && slots.free.has("c"))
    held.removeAll()
    var free = slots.free
    #expect(free.total == 3)
    free.use("a")
    free.use("a")
    #expect(!free.has("a") && free.has("b"))
    // Without a free slot nothing is used.
    free.use("a")
    #expect(free.total == 1)
  }

  /// Many tasks take and give back: never more at a time than there are slots, and all are free at the end.
  @Test func tasksNeverHoldMoreThanTheSlots() async {
    let slots = Slots(7, ofKey: 3)
    let counter = Counter()
    await withDiscardingTaskGroup { group in
      for number in 0..<400 {
        group.addTask {
          guard let slot = slots.slot(for: ExactString("\(number % 4)")) else { return }
          counter.begin()
          await Task.yield()
          counter.end()
          withExtendedLifetime(slot) {}
        }
      }
    }
    #expect((1...7).contains(counter.most) && slots.free.total == 7)
  }

  /// How many run at a time.
  private final class Counter: Sendable {
    private let state = Mutex((now: 0, most: 0))

    var most: Int { state.withLock { $0.most } }
    func begin() { state.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) } }
    func end() { state.withLock { $0.now -= 1 } }
  }

  /// Rows that wait, by their owners.
  private final class Queue: Sendable {
    private struct State {
      var waiting: [String]
      var running: [ExactString: Int] = [:]
      var most: [ExactString: Int] = [:]
      var done = 0
      var looks = 0
    }

    private let state: Mutex<State>

    init(_ rows: [String]) { state = Mutex(State(waiting: rows)) }

    func lease(_ free: FreeSlots<ExactString>) -> [String] {
      state.withLock { state in
        state.looks += 1
        var free = free
        var leased: [String] = []
        state.waiting.removeAll { owner in
          guard free.has(ExactString(owner)) else { return false }
          free.use(ExactString(owner))
          leased.append(owner)
          return true
        }
        return leased
      }
    }

    func begin(_ owner: String) {
      state.withLock { state in
        let name = ExactString(owner)
        state.running[name, default: 0] += 1
        state.most[name] = max(state.most[name] ?? 0, state.running[name] ?? 0)
      }
    }

    func end(_ owner: String) {
      state.withLock { state in
        state.running[ExactString(owner), default: 0] -= 1
        state.done += 1
      }
    }

    func add(_ owner: String) { state.withLock { $0.waiting.append(owner) } }

    /// How often rows were looked for.
    var looks: Int { state.withLock { $0.looks } }
    var done: Int { state.withLock { $0.done } }
    var most: [ExactString: Int] { state.withLock { $0.most } }
  }

  /// Rows that differ, although they have one owner.
  private static let newKey: @Sendable (String) -> RecordKey = { _ in
    RecordKey(Int64.random(in: .min ... .max))
  }

  /// A row whose lease has ended while its work goes on is not begun again. Afterwards it can be.
  @Test func aRowIsPerformedOnceAtATime() async throws {
    let (signal, gate, begun, looks) = (WakeSignal(), Gate(), Tally(), Tally())
    let running = RunningRows()
    let work = LeasedWork<String>(
      CountedSlots(4), signal: signal, every: .seconds(3_600), running: running, key: { RecordKey($0) },
      owner: { $0 },
      lease: { _ in
        looks.add()
        return looks.value <= 3 ? ["a"] : []
      },
      perform: { _ in
        begun.add()
        await gate.pass()
      })
    let task = Task { await work.run() }
    for look in 1...2 {
      signal.wake()
      try await eventually { looks.value >= look && gate.waiting == 1 }
    }
    await letOthersRun()
    #expect(begun.value == 1 && running.keys == [RecordKey("a")])
    gate.open()
    try await eventually {
      signal.wake()
      return begun.value == 2 && running.keys.isEmpty
    }
    task.cancel()
    await task.value
    #expect(begun.value == 2)
  }

  /// All rows are performed, each owner within its slots, although nothing but the end of work wakes it.
  @Test func workTakesTheNextRowsWhenSlotsAreFree() async throws {
    let queue = Queue((0..<60).map { $0 % 6 == 0 ? "few" : "many" })
    let work = LeasedWork<String>(
      CountedSlots(5, ofKey: 2), signal: WakeSignal(), every: .seconds(3_600), key: Self.newKey,
      owner: { $0 },
      lease: { free in queue.lease(free) },
      perform: { owner in
        queue.begin(owner)
        await Task.yield()
        queue.end(owner)
      })
    let running = Task { await work.run() }
    try await eventually { queue.done == 60 }
    running.cancel()
    await running.value
    #expect(queue.done == 60)
    #expect(queue.most.values.allSatisfy { (1...2).contains($0) } && queue.most.count == 2)
  }

  /// Work that has begun is performed to its end after a cancellation.
  @Test func aCancellationWaitsForWorkThatHasBegun() async throws {
    let queue = Queue(["a"])
    let gate = Gate()
    let hasEnded = Atomic(false)
    let work = LeasedWork<String>(
      CountedSlots(1), signal: WakeSignal(), every: .seconds(3_600), key: Self.newKey, owner: { $0 },
      lease: { free in queue.lease(free) },
      perform: { owner in
        queue.begin(owner)
        await gate.pass()
        // The work's own task is not cancelled.
        if !Task.isCancelled { queue.end(owner) }
      })
    let running = Task {
      await work.run()
      hasEnded.store(true, ordering: .relaxed)
    }
    try await eventually { gate.waiting == 1 }
    running.cancel()
    await letOthersRun()
    let hadEnded = hasEnded.load(ordering: .relaxed)
    #expect(!hadEnded)
    gate.open()
    await running.value
    #expect(queue.done == 1)
  }

  /// Rows that nothing announces, such as those of other nodes, are found when the interval is over.
  @Test func rowsWithoutAWakingAreFound() async throws {
    let (queue, timers) = (Queue([]), SettableClock())
    let work = LeasedWork<String>(
      CountedSlots(1), signal: WakeSignal(), every: .seconds(60), timers: timers, key: Self.newKey,
      owner: { $0 },
      lease: { free in queue.lease(free) }, perform: { owner in queue.end(owner) })
    let running = Task { await work.run() }
    try await eventually { queue.looks == 1 && timers.sleepers == 1 }
    queue.add("a")
    timers.advance(by: .seconds(59))
    await letOthersRun()
    #expect(queue.looks == 1)
    timers.advance(by: .seconds(1))
    try await eventually { queue.done == 1 }
    running.cancel()
    await running.value
  }

  /// Rows of a transaction that ends after its waking are looked for again, after pauses that double.
  @Test func rowsThatComeAfterTheirWakingAreFound() async throws {
    let (queue, timers) = (Queue([]), SettableClock())
    let isSettling = Atomic(true)
    let work = LeasedWork<String>(
      CountedSlots(1), signal: WakeSignal(), every: .seconds(3_600), timers: timers, key: Self.newKey,
      owner: { $0 },
      isSettling: { isSettling.load(ordering: .relaxed) }, lease: { free in queue.lease(free) },
      perform: { owner in queue.end(owner) })
    let running = Task { await work.run() }
    for (number, pause) in [5, 10, 20, 40, 80, 80].enumerated() {
      try await eventually { queue.looks == number + 1 && timers.sleepers == 2 }
      timers.advance(by: .milliseconds(pause - 1))
      await letOthersRun()
      #expect(queue.looks == number + 1)
      queue.add("a")
      timers.advance(by: .milliseconds(1))
      try await eventually { queue.done == number + 1 }
    }
    isSettling.store(false, ordering: .relaxed)
    timers.advance(by: .milliseconds(80))
    try await eventually { timers.sleepers == 1 }
    running.cancel()
    await running.value
  }

  @Test func aSignalWakesEachListener() async {
    let signal = WakeSignal()
    let wakings = [signal.wakings(), signal.wakings()]
    signal.wake()
    signal.wake()
    for waking in wakings {
      var next = waking.makeAsyncIterator()
      #expect(await next.next() != nil)
    }
  }
}

package import TokenSecurityBase
package import TokenSecurityPlatform

/// Performs work whose rows are leased from a store, for as long as it runs: a number of rows at a time, and of one owner
/// fewer, so that one whose work takes long does not keep the others waiting.
package struct LeasedWork<Row: Sendable>: Sendable {
  private let slots: CountedSlots<ExactString>
  private let signal: WakeSignal
  private let interval: Duration
  private let timers: any Clock<Duration>
  private let running: RunningRows
  private let key: @Sendable (Row) -> RecordKey
  private let owner: @Sendable (Row) -> String
  private let isSettling: @Sendable () -> Bool
  private let lease: @Sendable (FreeSlots<ExactString>) async -> [Row]
  private let perform: @Sendable (Row) async -> Void

  /// Describes work.
  ///
  /// - Parameters:
  ///   - slots: the slots for rows.
  ///   - signal: wakes the work when there are rows.
  ///   - interval: how often it looks for rows without being woken.
  ///   - timers: measures the interval and pauses.
  ///   - running: the rows whose work is under way, of which `lease` must return none.
  ///   - key: the key of a row.
  ///   - owner: the owner of a row.
  ///   - isSettling: true while a transaction may be about to add rows that a waking has announced. Default: never.
  ///   - lease: leases rows, each for a slot that is free for its owner.
  ///   - perform: performs the work of a row.
  package init(
    _ slots: CountedSlots<ExactString>, signal: WakeSignal, every interval: Duration,
    timers: any Clock<Duration> = ContinuousClock(), running: RunningRows = RunningRows(),
    key: @escaping @Sendable (Row) -> RecordKey, owner: @escaping @Sendable (Row) -> String,
    isSettling: @escaping @Sendable () -> Bool = { false },
    lease: @escaping @Sendable (FreeSlots<ExactString>) async -> [Row],
    perform: @escaping @Sendable (Row) async -> Void
  ) {
    self.slots = slots
    self.signal = signal
    self.interval = interval
    self.timers = timers
    self.running = running
    self.key = key
    self.owner = owner
    self.isSettling = isSettling
    self.lease = lease
    self.perform = perform
  }

  /// Performs work until the task is cancelled. It returns when what has begun then has ended.
  package func run() async {
    let wakings = signal.wakings()
    let (signal, interval, timers) = (signal, interval, timers)
    let clock = Task {
      while !Task.isCancelled {
        signal.wake()
        try? await timers.sleep(for: interval)
      }
    }
    defer { clock.cancel() }
    await withDiscardingTaskGroup { group in
      for await _ in wakings {
        var pause = Duration.milliseconds(5)
        while !Task.isCancelled {
          for row in await lease(slots.free) { begin(row, in: &group) }
          guard isSettling() else { break }
          try? await timers.sleep(for: pause)
          pause = min(pause * 2, .milliseconds(80))
        }
      }
    }
  }

  private func begin(_ row: Row, in group: inout DiscardingTaskGroup) {
    let (owner, key) = (ExactString(owner(row)), key(row))
    let (slots, running, signal, perform) = (slots, running, signal, perform)
    guard running.begin(key) else { return }
    // The lease is for free slots alone. Without one the row waits until its lease ends.
    do throws(CountedSlots<ExactString>.Full) { try slots.take(owner) } catch {
      running.end(key)
      return
    }
    // Of its own, since a cancellation must not stop the work half way.
    let work = Task.detached {
      await perform(row)
      // Before the waking: what is looked for then needs the slot.
      running.end(key)
      slots.give(owner)
      signal.wake()
    }
    group.addTask { await work.value }
  }
}

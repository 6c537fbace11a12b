internal import Dispatch
internal import Records
internal import Synchronization

/// A number of connections, each driven by one thread, and the calls that wait for them.
///
/// A thread without a connection connects again, less often the longer it fails, and takes no calls
/// meanwhile. So a call waits for no longer than its deadline, whatever connecting takes.
final class ConnectionPool: Sendable {
  private let settings: PostgreSQLSettings
  private let state = Mutex(State())
  /// Counts the calls that wait. Threads wait for it.
  private let arrivals = DispatchSemaphore(value: 0)
  private let threads = DispatchGroup()

  private struct State: Sendable {
    var waiting: [any ServerJob] = []
    var isClosed = false
    var open = 0
    var lastError: String?
  }

  init(_ settings: PostgreSQLSettings) {
    self.settings = settings
    for number in 0..<max(1, settings.connections) { start("records.connection.\(number)") { $0.serve() } }
    start("records.deadlines") { $0.watchDeadlines() }
  }

  private func start(_ name: String, _ run: @escaping @Sendable (ConnectionPool) -> Void) {
    // A queue of its own for a block that does not return: a thread of its own.
    DispatchQueue(label: name).async(group: threads) { run(self) }
  }

  /// Adds a call.
  func add(_ job: any ServerJob) {
    let refused: RecordStoreError? = state.withLock { state in
      if state.isClosed { return .closed }
      guard state.waiting.count < settings.waitingLimit else {
        return .busy("\(state.waiting.count) calls wait for the database")
      }
      state.waiting.append(job)
      return nil
    }
    if let refused { job.fail(refused) } else { arrivals.signal() }
  }

  /// Fails waiting calls and ends the threads. Running calls finish.
  func close() {
    let waiting = state.withLock { state in
      state.isClosed = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for job in waiting { job.fail(.closed) }
    for _ in 0...settings.connections { arrivals.signal() }
  }

  /// Calls `body` once all threads have ended.
  func whenClosed(_ body: @escaping @Sendable () -> Void) {
    threads.notify(queue: .global()) { body() }
  }

  private var isClosed: Bool { state.withLock { $0.isClosed } }

  // MARK: Threads

  private func serve() {
    var connection: ServerConnection?
    var failures = 0
    while !isClosed {
      guard let open = connection else {
        do throws(ServerFailure) {
          connection = try ServerConnection(settings, Deadline(after: settings.connectTimeout))
          failures = 0
          state.withLock { $0.open += 1 }
        } catch {
          state.withLock { $0.lastError = error.reason }
          failures += 1
          pause(milliseconds: Backoff.milliseconds(failures, first: 50, most: 2_000))
        }
        continue
      }
      if let job = next() {
        guard !job.deadline.hasPassed else {
          job.fail(.busy("the call has waited too long"))
          continue
        }
        if case .lostConnection = job.run(open) { putBack(job) }
      } else if !isClosed {
        // A connection that was not used for a while may be lost.
        _ = try? open.simple("SELECT 1", Deadline(after: settings.connectTimeout))
      }
      if !open.isOpen {
        connection = nil
        state.withLock { $0.open -= 1 }
      }
    }
  }

  /// Waits for a call; nil if none came for some seconds, or the pool is closed.
  private func next() -> (any ServerJob)? {
    let end = DispatchTime.now() + .seconds(10)
    while !isClosed, arrivals.wait(timeout: end) == .success {
      let job = state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
      // A call that has waited too long was removed, and its signal was not.
      if let job { return job }
    }
    return nil
  }

  /// A call whose connection was lost is the next one.
  private func putBack(_ job: any ServerJob) {
    let isClosed = state.withLock { state in
      if !state.isClosed { state.waiting.insert(job, at: 0) }
      return state.isClosed
    }
    if isClosed { job.fail(.closed) } else { arrivals.signal() }
  }

  /// Fails calls that have waited too long.
  private func watchDeadlines() {
    while !isClosed {
      pause(milliseconds: 50)
      let (late, error): ([any ServerJob], RecordStoreError) = state.withLock { state in
        let late = state.waiting.filter(\.deadline.hasPassed)
        if !late.isEmpty { state.waiting.removeAll(where: \.deadline.hasPassed) }
        let error: RecordStoreError =
          state.open > 0
          ? .busy("no connection became free within the time limit")
          : .unavailable("no connection to the database: \(state.lastError ?? "not connected yet")")
        return (late, error)
      }
      for job in late { job.fail(error) }
    }
  }

  private func pause(milliseconds: Int) {
    let end = Deadline(after: .milliseconds(milliseconds))
    while !end.hasPassed, !isClosed { Backoff.sleep(milliseconds: min(50, end.remainingMilliseconds)) }
  }
}

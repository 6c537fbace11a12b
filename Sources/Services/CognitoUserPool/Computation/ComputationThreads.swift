internal import Dispatch
package import HTTPExchange
internal import Synchronization
internal import TokenSecurityPlatform

/// A bounded number of threads for modular exponentiations, and a bounded queue of work that waits for them.
///
/// The callers whose work waits take turns, and each has an eighth of the slots: an address that sends calls
/// faster than they are computed delays its own calls, and others by one piece of work at a time.
///
/// A 3,072-bit power takes milliseconds. On an event loop or in Swift's thread pool it would hold up calls that
/// need none.
package final class ComputationThreads: Sendable {
  /// The number of threads: how many pieces of work run at once.
  package let count: Int
  /// Maximum number of pieces of work that wait.
  package let waitingLimit: Int

  /// Maximum number of pieces of work of one caller that wait.
  package var callerLimit: Int { max(1, waitingLimit / 8) }

  private let state = Mutex(State())

  private struct State: Sendable {
    var running = 0
    var waiting = WaitingWork()
  }

  /// Creates the threads' queue. Threads exist only while there is work.
  ///
  /// - Parameters:
  ///   - count: the most threads, at least one.
  ///   - waitingLimit: the most pieces of work that wait, at least one.
  package init(count: Int, waitingLimit: Int) {
    self.count = max(1, count)
    self.waitingLimit = max(1, waitingLimit)
  }

  /// Runs work on one of the threads.
  ///
  /// - Parameters:
  ///   - client: the caller; nil for all administrators.
  ///   - work: the computation.
  /// - Returns: what the computation returned.
  /// - Throws: what the computation threw; `tooMuchWork` if too much work waits, of all callers or of this one.
  package nonisolated(nonsending) func run<Value: Sendable>(
    for client: ClientAddress?, _ work: @escaping @Sendable () throws(UserPoolError) -> Value
  ) async throws(UserPoolError) -> Value {
    let result: Result<Value, UserPoolError> = await withCheckedContinuation { continuation in
      let isAccepted = add(client) {
        do throws(UserPoolError) { continuation.resume(returning: .success(try work())) } catch {
          continuation.resume(returning: .failure(error))
        }
      }
      if !isAccepted { continuation.resume(returning: .failure(.tooMuchWork)) }
    }
    return try result.get()
  }

  /// The number of processors.
  package static let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  /// The pieces of work that run or wait.
  package var load: Int { state.withLock { $0.running + $0.waiting.count } }

  private func add(_ client: ClientAddress?, _ work: @escaping @Sendable () -> Void) -> Bool {
    enum Assignment { case thread, queue, none }
    let assignment: Assignment = state.withLock { state in
      if state.running < count {
        state.running += 1
        return .thread
      }
      guard state.waiting.count < waitingLimit else { return .none }
      return state.waiting.append(work, of: client, limit: callerLimit) ? .queue : .none
    }
    if case .thread = assignment { start(work) }
    if case .none = assignment { return false }
    return true
  }

  /// Runs work and then what waits, on one thread.
  ///
  /// Each serial queue has a thread of its own. A concurrent queue would use the threads of Swift's pool, which are as
  /// many as there are processors: while all of them compute, no other task runs, such as those of new connections.
  private func start(_ work: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "user-pool.computation").async { [self] in
      work()
      while let next = next() { next() }
    }
  }

  /// The first piece of work that waits. Without one the thread ends.
  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      if let work = state.waiting.removeFirst() { return work }
      state.running -= 1
      return nil
    }
  }
}

/// Work that waits, in turns of its callers. Adding and removing take constant time.
private struct WaitingWork: Sendable {
  private(set) var count = 0
  private var ofCallers: [ClientAddress?: Queue<@Sendable () -> Void>] = [:]
  /// The callers with work that waits, each once.
  private var turns = Queue<ClientAddress?>()

  /// Adds a piece of work. Returns false where `limit` pieces of this caller wait.
  mutating func append(_ work: @escaping @Sendable () -> Void, of caller: ClientAddress?, limit: Int) -> Bool
  {
    let waiting = ofCallers[caller]?.count ?? 0
    guard waiting < limit else { return false }
    if waiting == 0 { turns.append(caller) }
    ofCallers[caller, default: Queue()].append(work)
    count += 1
    return true
  }

  mutating func removeFirst() -> (@Sendable () -> Void)? {
    guard let caller = turns.removeFirst(), let work = ofCallers[caller]?.removeFirst() else { return nil }
    count -= 1
    if ofCallers[caller]?.count == 0 { ofCallers[caller] = nil } else { turns.append(caller) }
    return work
  }
}

/// Elements in their order of arrival.
private struct Queue<Element: Sendable>: Sendable {
  private var incoming: [Element] = []
  /// The oldest at the end.
  private var outgoing: [Element] = []

  var count: Int { incoming.count + outgoing.count }

  mutating func append(_ element: Element) { incoming.append(element) }

  mutating func removeFirst() -> Element? {
    if outgoing.isEmpty {
      outgoing = incoming.reversed()
      incoming.removeAll()
    }
    return outgoing.popLast()
  }
}

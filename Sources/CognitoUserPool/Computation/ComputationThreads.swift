internal import Dispatch
internal import Synchronization
internal import TokenSecurityPlatform

/// A bounded number of threads for modular exponentiations, and a bounded queue of work that waits for them.
///
/// A 3,072-bit power takes milliseconds. On an event loop or in Swift's thread pool it would hold up calls that
/// need none.
package final class ComputationThreads: Sendable {
  /// The number of threads: how many pieces of work run at once.
  package let count: Int
  /// The most pieces of work that wait.
  package let waitingLimit: Int

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "user-pool.computation", attributes: .concurrent)

  private struct State: Sendable {
    var running = 0
    var waiting = WorkQueue()
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
  /// - Parameter work: the computation.
  /// - Returns: what the computation returned.
  /// - Throws: what the computation threw; `tooMuchWork` if too much work waits.
  package nonisolated(nonsending) func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws(UserPoolError) -> Value
  ) async throws(UserPoolError) -> Value {
    let result: Result<Value, UserPoolError> = await withCheckedContinuation { continuation in
      let isAccepted = add {
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

  private func add(_ work: @escaping @Sendable () -> Void) -> Bool {
    enum Place { case thread, queue, none }
    let place: Place = state.withLock { state in
      if state.running < count {
        state.running += 1
        return .thread
      }
      guard state.waiting.count < waitingLimit else { return .none }
      state.waiting.append(work)
      return .queue
    }
    if case .thread = place { start(work) }
    if case .none = place { return false }
    return true
  }

  /// Runs work and then what waits, on one thread.
  private func start(_ work: @escaping @Sendable () -> Void) {
    queue.async { [self] in
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

/// Work in its order of arrival. Adding and removing take constant time.
private struct WorkQueue: Sendable {
  private var incoming: [@Sendable () -> Void] = []
  /// The oldest at the end.
  private var outgoing: [@Sendable () -> Void] = []

  var count: Int { incoming.count + outgoing.count }

  mutating func append(_ work: @escaping @Sendable () -> Void) { incoming.append(work) }

  mutating func removeFirst() -> (@Sendable () -> Void)? {
    if outgoing.isEmpty {
      outgoing = incoming.reversed()
      incoming.removeAll(keepingCapacity: true)
    }
    return outgoing.popLast()
  }
}

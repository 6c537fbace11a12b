public import JOSE
internal import Synchronization
internal import TokenSecurityPlatform

/// Private keys that are made ahead of need, so that no call waits for the generation of a key.
///
///     let spares = SpareSigningKeys(for: .rs512)
///     let ring = SigningKeyRing(store: store, storage: storage, maker: spares.maker)
///     try await withThrowingTaskGroup(of: Void.self) { group in
///       group.addTask { await spares.refill() }
///       try await server.run()
///       group.cancelAll()
///     }
///
/// Spares are only in memory, and each is given out once. A process that was forked has none of its parent's.
public final class SpareSigningKeys: Sendable {
  /// The algorithm of the spares. Keys for others are made when they are needed.
  public let algorithm: Algorithm
  /// Maximum number of spares.
  public let limit: Int

  private let source: SigningKeyMaker
  private let processID: @Sendable () -> Int32
  private let state = Mutex(State())
  /// Spares were taken.
  private let demand = WakeSignal()

  private struct State {
    var keys: [JWK] = []
    /// The process that made the keys.
    var process: Int32 = 0
    /// Keys that calls wait for, by their number.
    var calls: [Int: Task<JWK, any Error>] = [:]
    var nextCall = 0
    var isStopped = false
  }

  /// The error of calls that need a key after ``SpareSigningKeys/stop()``.
  public struct Stopped: Error, Sendable, CustomStringConvertible {
    /// A sentence for a log.
    public var description: String { "keys are no longer made, since the service is being stopped" }
  }

  /// Makes an empty stock. ``refill(pause:onFailure:)`` fills it.
  ///
  /// - Parameters:
  ///   - algorithm: the algorithm of the spares.
  ///   - limit: maximum number of spares, at least one. Default: 4, the keys of two user pools.
  ///   - source: makes the spares, and keys where there is no spare. Default: libcrypto.
  public convenience init(for algorithm: Algorithm, limit: Int = 4, source: SigningKeyMaker = .generating) {
    self.init(for: algorithm, limit: limit, source: source, processID: { getpid() })
  }

  /// Makes a stock, with a function that returns the id of the process.
  package init(
    for algorithm: Algorithm, limit: Int = 4, source: SigningKeyMaker = .generating,
    processID: @escaping @Sendable () -> Int32
  ) {
    self.algorithm = algorithm
    self.limit = max(1, limit)
    self.source = source
    self.processID = processID
  }

  /// The number of spares.
  public var count: Int {
    let process = processID()
    return state.withLock { $0.process == process ? $0.keys.count : 0 }
  }

  /// Gives out the spares. Without one, the call makes a key. It throws ``Stopped`` after ``stop()``.
  public var maker: SigningKeyMaker {
    SigningKeyMaker { [self] algorithm in
      if algorithm == self.algorithm, let spare = take() { return spare }
      return try await keyForCall(algorithm)
    }
  }

  /// Ends the waiting for keys that are made for calls, and makes no more: calls fail with ``Stopped``. Spares are still
  /// given out.
  ///
  /// For a shutdown: the keys of many new rings, one after the other, would take longer than the calls have then.
  public func stop() {
    let calls = state.withLock { state in
      state.isStopped = true
      return Array(state.calls.values)
    }
    for call in calls { call.cancel() }
  }

  private func keyForCall(_ algorithm: Algorithm) async throws -> JWK {
    let (number, call) = try state.withLock { state throws(Stopped) in
      guard !state.isStopped else { throw Stopped() }
      let call = Task { [source] in try await source.key(for: algorithm) }
      state.nextCall += 1
      state.calls[state.nextCall] = call
      return (state.nextCall, call)
    }
    defer { state.withLock { _ = $0.calls.removeValue(forKey: number) } }
    do {
      return try await withTaskCancellationHandler {
        try await call.value
      } onCancel: {
        call.cancel()
      }
    } catch {
      if error is CancellationError, state.withLock({ $0.isStopped }) { throw Stopped() }
      throw error
    }
  }

  /// Keeps the stock full until the task is cancelled: makes spares one at a time, and others once some were taken.
  /// Call it once.
  ///
  /// It ends at once, and drops the spares, which libcrypto wipes; a key that is being made is dropped when it is there.
  ///
  /// - Parameters:
  ///   - pause: the time after a failure. Default: 5 s.
  ///   - onFailure: called with each error of the source.
  public func refill(
    pause: Duration = .seconds(5), onFailure: @Sendable (any Error) -> Void = { _ in }
  ) async {
    defer { state.withLock { $0.keys = [] } }
    var wakings = demand.wakings().makeAsyncIterator()
    while !Task.isCancelled {
      guard count < limit else {
        await wakings.next()
        continue
      }
      do {
        add(try await source.key(for: algorithm, isSpare: true))
      } catch {
        guard !Task.isCancelled else { return }
        onFailure(error)
        try? await Task.sleep(for: pause)
      }
    }
  }

  private func add(_ made: JWK) {
    let process = processID()
    state.withLock { state in
      if state.process != process { state.keys = [] }
      state.process = process
      if state.keys.count < limit { state.keys.append(made) }
    }
  }

  private func take() -> JWK? {
    let process = processID()
    let (spare, isSmaller) = state.withLock { state in
      let before = state.keys.count
      // The parent gives out the same keys.
      if state.process != process { state.keys = [] }
      let spare = state.keys.popLast()
      return (spare, state.keys.count < before)
    }
    if isSmaller { demand.wake() }
    return spare
  }
}

internal import CryptoPrimitives
internal import Encodings
internal import Synchronization

/// Responses to signed calls that change something, by signature: a call that comes again gets the first response, and
/// is not executed again.
///
/// A client's retry within the same second has the same signature as the first try. So has a copy that somebody else
/// sends later: without this it would set a pool back to what it was. Responses are remembered for as long as a
/// signature can be valid. They are not stored: after a restart a copy can be executed once more.
package final class RepeatedCalls: Sendable {
  /// The most calls that are remembered, and the most bytes of their responses, before further calls are refused.
  package struct Limits: Sendable {
    package var entries = 100_000
    package var bytes = 64 << 20
    /// How long a response is remembered: from the earliest to the latest moment at which a signature is valid.
    package var life = Duration.seconds(1_800)

    package init() {}
  }

  private typealias Outcome = Result<[UInt8], IdentityError>

  private enum Entry {
    case running([CheckedContinuation<Outcome?, Never>])
    case done(Outcome, bytes: Int, until: Duration)
  }

  private struct State {
    var entries: [[UInt8]: Entry] = [:]
    var bytes = 0
    var lastSweep = Duration.zero
  }

  private enum Claim {
    case execute
    case known(Outcome)
    case running
    case full
  }

  private let state = Mutex(State())
  private let limits: Limits
  private let uptime: @Sendable () -> Duration
  /// What an entry takes besides its response.
  private static let overhead = 256

  /// - Parameter uptime: the time on a clock that is never set.
  package init(limits: Limits = Limits(), uptime: (@Sendable () -> Duration)? = nil) {
    self.limits = limits
    let start = ContinuousClock.now
    self.uptime = uptime ?? { ContinuousClock.now - start }
  }

  /// Executes a call, unless one with its signature was executed or is being executed: then that one's outcome is given.
  ///
  /// An outcome that is the service's own fault (status 500) is not remembered.
  ///
  /// - Parameters:
  ///   - accessKeyID: whose signature it is.
  ///   - signature: the signature, which was verified and binds the whole call.
  ///   - body: what the call does.
  /// - Throws: what `body` throws; `tooManyRequests` where no more calls can be remembered.
  package func once(
    _ accessKeyID: String, _ signature: String, _ body: () async throws(IdentityError) -> [UInt8]
  ) async throws(IdentityError) -> [UInt8] {
    let name = try IdentityError.crypto { () throws(CryptoError) in
      try DigestAlgorithm.sha256.hash(Array("\(accessKeyID)\n\(signature)".utf8).span)
    }
    while true {
      switch claim(name) {
      case .full: throw .tooManyRequests
      case .known(let outcome): return try outcome.get()
      case .running:
        // nil where it was at its end in the meantime.
        if let outcome = await wait(for: name) { return try outcome.get() }
      case .execute:
        let outcome: Outcome
        do throws(IdentityError) { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        finish(name, outcome)
        return try outcome.get()
      }
    }
  }

  /// How many calls are remembered, and the bytes that they take.
  package var size: (entries: Int, bytes: Int) { state.withLock { ($0.entries.count, $0.bytes) } }

  private func claim(_ name: [UInt8]) -> Claim {
    let now = uptime()
    return state.withLock { state in
      switch state.entries[name] {
      case .done(let outcome, _, let until) where now < until: return .known(outcome)
      case .running: return .running
      case .done(_, let bytes, _):
        state.bytes -= bytes
        state.entries[name] = nil
      case nil: break
      }
      sweep(&state, now)
      guard state.entries.count < limits.entries, state.bytes < limits.bytes else { return .full }
      state.entries[name] = .running([])
      return .execute
    }
  }

  private func wait(for name: [UInt8]) async -> Outcome? {
    await withCheckedContinuation { continuation in
      let isWaiting = state.withLock { state in
        guard case .running(var waiting) = state.entries[name] else { return false }
        waiting.append(continuation)
        state.entries[name] = .running(waiting)
        return true
      }
      if !isWaiting { continuation.resume(returning: nil) }
    }
  }

  private func finish(_ name: [UInt8], _ outcome: Outcome) {
    let end = uptime() + limits.life
    let waiting = state.withLock { state in
      guard case .running(let waiting) = state.entries[name] else {
        return [] as [CheckedContinuation<Outcome?, Never>]
      }
      switch outcome {
      case .failure(let error) where error.status == 500: state.entries[name] = nil
      case .success(let response): keep(name, outcome, response.count, end, &state)
      case .failure: keep(name, outcome, 0, end, &state)
      }
      return waiting
    }
    for continuation in waiting { continuation.resume(returning: outcome) }
  }

  private func keep(_ name: [UInt8], _ outcome: Outcome, _ size: Int, _ end: Duration, _ state: inout State) {
    let bytes = size + Self.overhead
    state.entries[name] = .done(outcome, bytes: bytes, until: end)
    state.bytes += bytes
  }

  /// Forgets calls whose time is over: when half of the room is taken, and once a second at the most.
  private func sweep(_ state: inout State, _ now: Duration) {
    guard state.entries.count > limits.entries / 2 || state.bytes > limits.bytes / 2,
      now - state.lastSweep >= .seconds(1)
    else { return }
    state.lastSweep = now
    for (name, entry) in state.entries {
      guard case .done(_, let bytes, let until) = entry, until <= now else { continue }
      state.entries[name] = nil
      state.bytes -= bytes
    }
  }
}

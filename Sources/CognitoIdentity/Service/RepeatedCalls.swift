internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import Synchronization

/// Responses to signed calls that change something, by signature. A repeated call gets the first response and
/// is not executed again.
///
/// A client's retry within one second has the signature of the first try. So does a copy that an attacker
/// sends later, which could undo newer changes. Responses are kept for as long as a signature can be valid: in
/// memory, where a copy can be executed once more after a restart, and in a store that nodes share.
///
/// A client can also repeat a call on purpose within a second: merge two users, unlink one, merge them again.
/// AWS's SDKs name each call in the header `amz-sdk-invocation-id`; a retry keeps the name. A call with
/// another name is executed, but only within two seconds of the first and from its address: the header may be
/// unsigned, and an attacker could change it.
package final class RepeatedCalls: Sendable {
  /// The most calls and bytes of responses that are kept. Further calls are refused.
  package struct Limits: Sendable {
    package var entries = 100_000
    package var bytes = 64 << 20
    /// How long a response is kept: the time during which a signature is valid.
    package var life = StoredCall.life
    /// How long other calls can have the signature of the first: one second of the same date, one for the
    /// network.
    package var sameSecond = Duration.seconds(2)
    /// How long another node's execution is waited for.
    package var patience = Duration.seconds(10)
    /// The clock by which it is waited for.
    package var timers: any Clock<Duration> = ContinuousClock()

    package init() {}
  }

  /// Distinguishes calls with the same signature.
  package struct Origin: Sendable {
    /// The client's name of the call, the same in its retries; nil where it sent none.
    package var invocation: String?
    /// The client's address.
    package var address: String

    package init(invocation: String? = nil, address: String = "") {
      self.invocation = invocation
      self.address = address
    }
  }

  private typealias Outcome = Result<[UInt8], IdentityError>
  private typealias Waiting = [CheckedContinuation<Outcome?, Never>]

  /// The digests that identify a call.
  struct Call: Sendable {
    /// The key of the first call with a signature.
    let first: [UInt8]
    /// The key of another call with that signature.
    let other: [UInt8]
    let invocation: [UInt8]
    let address: [UInt8]
  }

  private struct Entry {
    enum State {
      case running(Waiting)
      case done(Outcome, bytes: Int, until: Duration)
    }
    let invocation: [UInt8]
    let address: [UInt8]
    let start: Duration
    var state: State
  }

  private struct State {
    var entries: [[UInt8]: Entry] = [:]
    var bytes = 0
    var lastSweep = Duration.zero
  }

  private enum Claim {
    case execute([UInt8])
    case known(Outcome)
    case running([UInt8])
    case full
  }

  private let state = Mutex(State())
  private let shared: SharedCalls?
  private let limits: Limits
  private let uptime: @Sendable () -> Duration
  /// Bytes of an entry besides its response.
  private static let overhead = 512

  /// Makes an empty memory of calls.
  ///
  /// - Parameters:
  ///   - store: the service's store. If nodes share it, they execute a call once. Default: none.
  ///   - sealing: seals the responses that a shared store keeps. Without it, nodes do not share calls.
  ///   - limits: the most calls and bytes.
  ///   - uptime: a monotonic clock. Default: the system's.
  package init(
    store: (any RecordStore)? = nil, sealing: SealingKeys? = nil, limits: Limits = Limits(),
    uptime: (@Sendable () -> Duration)? = nil
  ) {
    shared = store.flatMap { store in
      guard store.isShared, let sealing else { return nil }
      return SharedCalls(
        store, sealing,
        SharedCalls.Limits(
          patience: limits.patience, sameSecond: limits.sameSecond, timers: limits.timers))
    }
    self.limits = limits
    let start = ContinuousClock.now
    self.uptime = uptime ?? { ContinuousClock.now - start }
  }

  /// Executes a call once. A repeated call gets the outcome of the first, for which it waits.
  ///
  /// Not kept: errors of the service (status 500), a busy store, and calls that the access key does not allow, so that a
  /// key without permissions cannot fill the memory.
  ///
  /// - Parameters:
  ///   - accessKeyID: the access key of the signature.
  ///   - signature: the verified signature, which covers the whole call.
  ///   - origin: the client's name of the call, and its address.
  ///   - body: executes the call.
  /// - Returns: the response.
  /// - Throws: the errors of `body`; `tooManyRequests` where the limits are reached.
  package func once(
    _ accessKeyID: String, _ signature: String, from origin: Origin = Origin(),
    _ body: () async throws(IdentityError) -> [UInt8]
  ) async throws(IdentityError) -> [UInt8] {
    let first = try Self.digest(Array("\(accessKeyID)\n\(signature)".utf8))
    let invocation = try Self.digest(Array((origin.invocation ?? "").utf8))
    let address = try Self.digest(Array(origin.address.utf8))
    let call = Call(
      first: first, other: try Self.digest(first + invocation), invocation: invocation, address: address)
    while true {
      switch claim(call) {
      case .full: throw .request(.tooManyRequests)
      case .known(let outcome): return try outcome.get()
      case .running(let name):
        // Nil where the call ended in the meantime.
        if let outcome = await wait(for: name) { return try outcome.get() }
      case .execute(let name):
        let outcome: Outcome
        do throws(IdentityError) {
          let response =
            if let shared { try await shared.once(call, at: .now, body) } else { try await body() }
          outcome = .success(response)
        } catch {
          outcome = .failure(error)
        }
        finish(name, outcome)
        return try outcome.get()
      }
    }
  }

  /// The number of calls that are kept, and their bytes.
  package var size: (entries: Int, bytes: Int) { state.withLock { ($0.entries.count, $0.bytes) } }

  private static func digest(_ bytes: [UInt8]) throws(IdentityError) -> [UInt8] {
    try IdentityError.crypto { () throws(CryptoError) in try DigestAlgorithm.sha256.hash(bytes.span) }
  }

  private func claim(_ call: Call) -> Claim {
    let now = uptime()
    return state.withLock { state in
      let name = name(of: call, state, now)
      switch state.entries[name]?.state {
      case .done(let outcome, _, let until) where now < until: return .known(outcome)
      case .running: return .running(name)
      case .done(_, let bytes, _):
        state.bytes -= bytes
        state.entries[name] = nil
      case nil: break
      }
      sweep(&state, now)
      guard state.entries.count < limits.entries, state.bytes < limits.bytes else { return .full }
      state.entries[name] = Entry(
        invocation: call.invocation, address: call.address, start: now, state: .running([]))
      return .execute(name)
    }
  }

  /// The key of a call's entry: that of the first call with its signature, or its own.
  private func name(of call: Call, _ state: borrowing State, _ now: Duration) -> [UInt8] {
    guard let first = state.entries[call.first], first.invocation != call.invocation else {
      return call.first
    }
    if state.entries[call.other] != nil { return call.other }
    let isOfSameSecond = now - first.start < limits.sameSecond && first.address == call.address
    return isOfSameSecond ? call.other : call.first
  }

  private func wait(for name: [UInt8]) async -> Outcome? {
    await withCheckedContinuation { continuation in
      let isWaiting = state.withLock { state in
        guard case .running(var waiting) = state.entries[name]?.state else { return false }
        waiting.append(continuation)
        state.entries[name]?.state = .running(waiting)
        return true
      }
      if !isWaiting { continuation.resume(returning: nil) }
    }
  }

  private func finish(_ name: [UInt8], _ outcome: Outcome) {
    let end = uptime() + limits.life
    let waiting = state.withLock { state -> Waiting in
      guard case .running(let waiting) = state.entries[name]?.state else { return [] }
      switch outcome {
      case .success(let response): keep(name, outcome, response.count, end, &state)
      case .failure(let error) where Self.isKept(error): keep(name, outcome, 0, end, &state)
      case .failure: state.entries[name] = nil
      }
      return waiting
    }
    for continuation in waiting { continuation.resume(returning: outcome) }
  }

  /// False for errors of the service, and for calls that the access key does not allow.
  static func isKept(_ error: IdentityError) -> Bool {
    switch error {
    case .callerForbidden, .storeBusy: false
    default: error.status != 500
    }
  }

  private func keep(_ name: [UInt8], _ outcome: Outcome, _ size: Int, _ end: Duration, _ state: inout State) {
    let bytes = size + Self.overhead
    state.entries[name]?.state = .done(outcome, bytes: bytes, until: end)
    state.bytes += bytes
  }

  /// Removes expired calls, where half of the limits is used and at most once a second.
  private func sweep(_ state: inout State, _ now: Duration) {
    guard state.entries.count > limits.entries / 2 || state.bytes > limits.bytes / 2,
      now - state.lastSweep >= .seconds(1)
    else { return }
    state.lastSweep = now
    for (name, entry) in state.entries {
      guard case .done(_, let bytes, let until) = entry.state, until <= now else { continue }
      state.entries[name] = nil
      state.bytes -= bytes
    }
  }
}

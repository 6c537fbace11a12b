internal import Records
internal import Synchronization
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Executes signed calls that change something once, on whichever node of a shared store they arrive.
///
/// A node claims a call by adding its row, executes it, and stores the outcome. Another node waits for the
/// outcome for a time. If the node that claimed a call fails, or the outcome cannot be stored, the call is not
/// executed again: its copies get `outcomeUnknown`, and clients sign their next try anew.
final class SharedCalls: Sendable {
  /// How long another node's execution is waited for, and how long calls of the same second can have one
  /// signature.
  struct Limits: Sendable {
    var patience: Duration
    var interval = Duration.milliseconds(100)
    var sameSecond: Duration
    /// The clock of `patience` and `interval`.
    var timers: any Clock<Duration> = ContinuousClock()
  }

  private let store: any RecordStore
  /// Seals responses, which can have secrets.
  private let sealing: SealingKeys
  private let limits: Limits
  /// When the last sweep has begun; nil where some rows are left.
  private let lastSweep = Mutex<ContinuousClock.Instant?>(nil)
  /// Maximum number of rows that a sweep removes: a call waits for it.
  private static let portion = 500

  init(_ store: any RecordStore, _ sealing: SealingKeys, _ limits: Limits) {
    self.store = store
    self.sealing = sealing
    self.limits = limits
  }

  private enum Claim: Sendable {
    case execute(name: [UInt8])
    case known(StoredCall.Outcome)
    case running
  }

  /// Executes a call, or returns the outcome of its execution.
  func once(
    _ call: RepeatedCalls.Call, at now: Timestamp, _ body: () async throws(IdentityError) -> [UInt8]
  ) async throws(IdentityError) -> [UInt8] {
    await sweep(now)
    let waited = limits.timers.stopwatch()
    while true {
      switch try await claim(call, at: now) {
      case .known(.response(let sealed)): return try open(sealed, of: call)
      case .known(.refusal(let refusal)):
        throw .callRepeated(code: refusal.code, type: refusal.type, message: refusal.message)
      case .execute(let name):
        do throws(IdentityError) {
          let response = try await body()
          await finish(name, .response(try seal(response, name)))
          return response
        } catch {
          var refusal = StoredCall.Refusal()
          (refusal.code, refusal.type, refusal.message) = (error.codeText, error.type, error.publicMessage)
          await finish(name, RepeatedCalls.isKept(error) ? .refusal(refusal) : nil)
          throw error
        }
      case .running:
        guard waited() < limits.patience else {
          throw .outcomeUnknown("another process has begun the call and has not finished it")
        }
        do { try await limits.timers.sleep(for: limits.interval) } catch {
          throw .outcomeUnknown("the call was cancelled")
        }
      }
    }
  }

  private func seal(_ response: [UInt8], _ name: [UInt8]) throws(IdentityError) -> [UInt8] {
    try sealing.seal(SecretBytes(response.span), for: .call, name: Hex.string(name))
  }

  /// Opens a response: of the first call with a signature, or of another one.
  private func open(_ sealed: [UInt8], of call: RepeatedCalls.Call) throws(IdentityError) -> [UInt8] {
    for name in [call.first, call.other] {
      if let response = try sealing.open(sealed.span, for: .call, name: Hex.string(name)) {
        return response.withBytes { [UInt8](unwipedCopy: $0) }
      }
    }
    throw .outcomeUnknown("another master key sealed the outcome of the call")
  }

  private func claim(_ call: RepeatedCalls.Call, at now: Timestamp) async throws(IdentityError) -> Claim {
    let sameSecond = limits.sameSecond
    return try await store.write(at: now) { rows throws(IdentityError) in
      func find(_ name: [UInt8]) throws(IdentityError) -> StoredCall? {
        try rows.get(IdentityTables.calls, RecordKey(name))
      }
      let (first, other) = (try find(call.first), try find(call.other))
      let name = call.key(
        hasOther: other != nil, kept: first.map { ($0.invocation, $0.address, now - $0.started) },
        sameSecond: sameSecond)
      guard let known = name == call.other ? other : first else {
        let claimed = StoredCall(
          name: name, invocation: call.invocation, address: call.address, started: now)
        try rows.put(claimed, in: IdentityTables.calls)
        return .execute(name: name)
      }
      return known.outcome.map { .known($0) } ?? .running
    }
  }

  /// Stores the outcome of a call; without one the call can be executed again.
  private func finish(_ name: [UInt8], _ outcome: StoredCall.Outcome?) async {
    for _ in 0..<3 {
      do throws(IdentityError) {
        try await store.write(at: .now) { rows throws(IdentityError) in
          guard let outcome else {
            try rows.delete(RecordKey(name), from: IdentityTables.calls)
            return
          }
          guard var call = try rows.get(IdentityTables.calls, RecordKey(name)) else { return }
          call.outcome = outcome
          try rows.put(call, in: IdentityTables.calls)
        }
        return
      } catch {
        // The call itself was executed. Its copies find a claim without an outcome.
        guard case .storeBusy = error else { return }
      }
    }
  }

  /// Removes expired calls, once a minute. Those that remain are removed by the next calls, a portion by each.
  private func sweep(_ now: Timestamp) async {
    let isDue = lastSweep.withLock { last in
      if let last, ContinuousClock.now - last < .seconds(60) { return false }
      last = .now
      return true
    }
    guard isDue else { return }
    let hasMore = try? await store.write(at: now) { rows throws(IdentityError) in
      try rows.removeExpired(from: IdentityTables.calls, limit: Self.portion)
      return rows.hasMoreExpired
    }
    if hasMore == true { lastSweep.withLock { $0 = nil } }
  }
}

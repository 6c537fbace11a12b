package import SigV4
internal import TokenSecurityBase

/// Responses to signed calls that change something, by signature: `RepeatedRequests` of `SigV4`, with refusals as outcomes,
/// and in a store that nodes share.
package final class RepeatedCalls: Sendable {
  package struct Limits: Sendable {
    /// Maximum number of calls, and of bytes of responses, that are kept. Further calls are refused.
    package var kept = RepetitionLimits()
    /// How long another node's execution is waited for.
    package var patience = Duration.seconds(10)
    /// The clock by which it is waited for.
    package var timers: any Clock<Duration> = ContinuousClock()

    package init() {}
  }

  package typealias Origin = RequestOrigin
  typealias Call = RequestRepetition
  private typealias Outcome = Result<[UInt8], IdentityError>

  private let requests: RepeatedRequests<Result<[UInt8], IdentityError>>
  private let shared: SharedCalls?

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
          patience: limits.patience, sameSecond: limits.kept.sameSecond, timers: limits.timers))
    }
    let start = ContinuousClock.now
    requests = RepeatedRequests(
      limits: limits.kept, size: { (try? $0.get().count) ?? 0 },
      uptime: uptime ?? { ContinuousClock.now - start })
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
    let call: Call
    do {
      call = try Call(
        Array("\(accessKeyID)\n\(signature)".utf8), origin, validity: StoredCall.validity)
    } catch {
      throw .cryptoFailed("\(error)")
    }
    let outcome = try await requests.once(call) { () throws(IdentityError) -> Outcome in
      do throws(IdentityError) {
        if let shared { return .success(try await shared.once(call, at: .now, body)) }
        return .success(try await body())
      } catch {
        guard Self.isKept(error) else { throw error }
        return .failure(error)
      }
    }
    guard let outcome else { throw .request(.tooManyRequests) }
    return try outcome.get()
  }

  /// The number of calls that are kept, and their bytes.
  package var size: (entries: Int, bytes: Int) {
    let kept = requests.kept
    return (kept.requests, kept.bytes)
  }

  /// False for errors of the service, and for calls that the access key does not allow.
  static func isKept(_ error: IdentityError) -> Bool {
    switch error {
    case .callerForbidden, .policyRefused, .storeBusy: false
    default: error.status != 500
    }
  }
}

internal import Synchronization

/// Responses to verified requests that change something. A repeated request gets the first response and is
/// not executed again.
///
///     func respond(
///       to request: VerifiedRequest<some BodyBinding>, from address: String, _ repeated: RepeatedRequests<[UInt8]>
///     ) async -> [UInt8]? {
///       let origin = RequestOrigin(of: request.head, address: address)
///       return await repeated.once(request, from: origin) { Array("changed".utf8) }
///     }
///
/// A client's retry within one second has the signature of the first try. So does a copy that somebody sends
/// later, which could undo newer changes. Responses are kept in memory until the request's signature is no longer
/// valid; after a restart a copy can be executed once more. Call it for requests that change something only:
/// AWS's SDKs send equal requests to read within a second, and every one of them wants its own response.
///
/// A request is repeated only if its whole body is: two writes within a second have one signature if that leaves
/// the body out. The signature must have the body's hash, or that of each chunk. Every other request is executed
/// each time: with `UNSIGNED-PAYLOAD`, unless a signed header has its SHA256 or SHA512, with
/// `STREAMING-UNSIGNED-PAYLOAD-TRAILER`, and with events.
///
/// A client can also repeat a request on purpose within a second: merge two users, unlink one, merge them
/// again. AWS's SDKs name each call in the header `amz-sdk-invocation-id`; a retry keeps the name. A request
/// with another name is executed, but only within two seconds of the first and from its address: the header
/// may be unsigned, and an attacker could change it.
public final class RepeatedRequests<Response: Sendable>: Sendable {
  private typealias Waiting = [CheckedContinuation<Response?, Never>]

  private struct Entry {
    enum State {
      case running(Waiting)
      case done(Response, bytes: Int)
    }
    let invocation: [UInt8]
    let address: [UInt8]
    let start: Duration
    /// When the signature is no longer valid.
    let end: Duration
    var state: State
  }

  private struct State {
    var entries: [[UInt8]: Entry] = [:]
    var bytes = 0
    var lastSweep = Duration.zero
  }

  private enum Claim {
    case execute([UInt8])
    case known(Response)
    case running([UInt8])
    case full
  }

  private let state = Mutex(State())
  private let limits: RepetitionLimits
  private let size: @Sendable (Response) -> Int
  private let uptime: @Sendable () -> Duration
  /// Bytes of an entry besides its response.
  private static var overhead: Int { 512 }

  /// Creates an empty memory of responses.
  ///
  /// - Parameters:
  ///   - limits: the most requests and bytes.
  ///   - size: the bytes of a response.
  public convenience init(
    limits: RepetitionLimits = RepetitionLimits(), size: @escaping @Sendable (Response) -> Int
  ) {
    let start = ContinuousClock.now
    self.init(limits: limits, size: size, uptime: { ContinuousClock.now - start })
  }

  /// Creates an empty memory with a monotonic clock.
  package init(
    limits: RepetitionLimits, size: @escaping @Sendable (Response) -> Int,
    uptime: @escaping @Sendable () -> Duration
  ) {
    self.limits = limits
    self.size = size
    self.uptime = uptime
  }

  /// Executes a request once. A repeated request gets the response to the first, for which it waits.
  ///
  /// - Parameters:
  ///   - request: the verified request. If its signature does not cover its body, it is executed.
  ///   - origin: the client's name of the request, and its address.
  ///   - body: executes the request. An error that it throws is not kept: the next try is executed.
  /// - Returns: the response; nil where nothing was executed, because the limits are reached or libcrypto has no
  ///   memory. A response that is dropped would allow a second execution.
  /// - Throws: the errors of `body`.
  public func once<Failure: Error>(
    _ request: VerifiedRequest<some BodyBinding>, from origin: RequestOrigin,
    _ body: () async throws(Failure) -> Response
  ) async throws(Failure) -> Response? {
    guard let signed = request.signed else { return try await body() }
    guard let repetition = try? RequestRepetition(signed, origin, validity: request.validity) else {
      return nil
    }
    return try await once(repetition, body)
  }

  /// Executes a request once by its digests.
  package func once<Failure: Error>(
    _ request: RequestRepetition, _ body: () async throws(Failure) -> Response
  ) async throws(Failure) -> Response? {
    while true {
      switch claim(request) {
      case .full: return nil
      case .known(let response): return response
      case .running(let name):
        // Nil where the execution failed or ended in the meantime.
        if let response = await wait(for: name) { return response }
      case .execute(let name):
        do throws(Failure) {
          let response = try await body()
          finish(name, response)
          return response
        } catch {
          finish(name, nil)
          throw error
        }
      }
    }
  }

  /// The number of requests that are kept, and their bytes.
  public var kept: (requests: Int, bytes: Int) { state.withLock { ($0.entries.count, $0.bytes) } }

  /// The number of requests that wait for the response of another one.
  package var waiting: Int {
    state.withLock { state in
      state.entries.values.reduce(0) { sum, entry in
        if case .running(let waiting) = entry.state { sum + waiting.count } else { sum }
      }
    }
  }

  private func claim(_ request: RequestRepetition) -> Claim {
    let now = uptime()
    return state.withLock { state in
      let first = state.entries[request.first]
      let name = request.key(
        hasOther: state.entries[request.other] != nil,
        kept: first.map { ($0.invocation, $0.address, now - $0.start) }, sameSecond: limits.sameSecond)
      if let entry = state.entries[name] {
        switch entry.state {
        case .done(let response, _) where now < entry.end: return .known(response)
        case .running: return .running(name)
        case .done(_, let bytes):
          state.bytes -= bytes
          state.entries[name] = nil
        }
      }
      sweep(&state, now)
      guard state.entries.count < limits.entries, state.bytes < limits.bytes else { return .full }
      state.entries[name] = Entry(
        invocation: request.invocation, address: request.address, start: now, end: now + request.validity,
        state: .running([]))
      return .execute(name)
    }
  }

  private func wait(for name: [UInt8]) async -> Response? {
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

  /// Keeps a response; nil removes the entry.
  private func finish(_ name: [UInt8], _ response: Response?) {
    let waiting = state.withLock { state -> Waiting in
      guard case .running(let waiting) = state.entries[name]?.state else { return [] }
      if let response {
        let bytes = size(response) + Self.overhead
        state.entries[name]?.state = .done(response, bytes: bytes)
        state.bytes += bytes
      } else {
        state.entries[name] = nil
      }
      return waiting
    }
    for continuation in waiting { continuation.resume(returning: response) }
  }

  /// Removes expired requests, where half of the limits is used and at most once a second.
  private func sweep(_ state: inout State, _ now: Duration) {
    guard state.entries.count > limits.entries / 2 || state.bytes > limits.bytes / 2,
      now - state.lastSweep >= .seconds(1)
    else { return }
    state.lastSweep = now
    for (name, entry) in state.entries {
      guard case .done(_, let bytes) = entry.state, entry.end <= now else { continue }
      state.entries[name] = nil
      state.bytes -= bytes
    }
  }
}

extension RepeatedRequests<[UInt8]> {
  /// Creates an empty memory of responses that are bytes.
  ///
  /// - Parameter limits: the most requests and bytes.
  public convenience init(limits: RepetitionLimits = RepetitionLimits()) {
    self.init(limits: limits, size: { $0.count })
  }
}

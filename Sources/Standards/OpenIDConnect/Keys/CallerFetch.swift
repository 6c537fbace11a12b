package import HTTPExchange
internal import Synchronization
internal import TokenSecurityPlatform

/// Sends one request on the thread that calls it. It blocks until the response is there.
package protocol CallerTransport: Sendable {
  /// Sends one request.
  ///
  /// - Parameter request: the request, with its limits.
  /// - Returns: the response with any status.
  /// - Throws: why there is no response.
  func send(_ request: TransportRequest) throws(CallerTransportError) -> TransportResponse
}

/// Why a caller has no response.
package enum CallerTransportError: Error {
  /// There is none.
  case failed(TransportError)
  /// The caller gives up. This says nothing about the server.
  case cancelled
  /// The call's time is over, before that of the fetch. This says nothing about the server, either.
  case outOfTime
}

/// The transport and the time that a call has for fetching.
package struct CallerFetch: Sendable {
  /// Sends requests.
  package let transport: any CallerTransport
  /// The end of the call's time, in milliseconds of uptime.
  package let deadline: Int64
  /// The whole time of the call, in milliseconds.
  package let whole: Int64
  /// Whether a fetch of the call was given up.
  package let cancellation: CallerCancellation

  /// - Parameters:
  ///   - transport: sends requests.
  ///   - deadline: the end of the call's time, in milliseconds of uptime.
  ///   - whole: the whole time of the call, in milliseconds. Default: longer than a fetch may take.
  ///   - cancellation: whether a fetch of the call was given up. Tokens of one call share it.
  package init(
    _ transport: any CallerTransport, deadline: Int64, whole: Int64 = .max,
    cancellation: CallerCancellation = CallerCancellation()
  ) {
    self.transport = transport
    self.deadline = deadline
    self.whole = whole
    self.cancellation = cancellation
  }

  /// True if nine tenths of a time are left: a call with the same limit has spent a little of it when it begins a fetch.
  func hasAll(of milliseconds: Int64, at now: Int64) -> Bool {
    deadline.saturatingDifference(now) >= milliseconds - milliseconds / 10
  }
}

/// Whether a fetch of a call was given up: the call then begins no other one, and waits for none.
package final class CallerCancellation: Sendable {
  private let flag = Atomic(false)

  package init() {}

  package var hasHappened: Bool { flag.load(ordering: .relaxed) }

  package func happen() { flag.store(true, ordering: .relaxed) }
}

/// Why a call that may fetch has no keys, or no verified token.
package enum CallerFetchError: Error, Equatable {
  /// The verification failed.
  case verification(OpenIDError)
  /// The call's time is over, before that of a fetch of its own, or while another thread fetches the keys.
  case timedOut
  /// This thread fetches the same keys: the call comes from within its own fetch.
  case reentered
  /// The caller gave up its fetch.
  case cancelled
}

/// One fetch by a caller, for the threads that wait for it.
final class CallerFlight: Sendable {
  let reason: KeySetState.Reason
  private let thread = CurrentThread.number
  private let process = getpid()
  /// After this time, in milliseconds of uptime, another thread may begin its own fetch.
  let end: Int64
  /// True if the fetch has as much time as a fetch may take, so that its end says something about the server.
  let hasFullTime: Bool
  /// Happens when the fetch has ended.
  let landed = ThreadEvent()

  init(_ reason: KeySetState.Reason, until end: Int64, hasFullTime: Bool) {
    self.reason = reason
    self.end = end
    self.hasFullTime = hasFullTime
  }

  /// True if the calling thread runs this fetch.
  var isOwn: Bool { thread == CurrentThread.number && isOfThisProcess }

  /// False if it runs in the process that this one was forked from.
  var isOfThisProcess: Bool { process == getpid() }

  /// False if the fetch has taken too long, or runs in the process that this one was forked from.
  func isUnderWay(at now: Int64) -> Bool { now < end && isOfThisProcess }
}

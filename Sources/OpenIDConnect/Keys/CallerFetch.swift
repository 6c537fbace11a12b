package import HTTPExchange
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
}

/// What a call may spend on fetching.
package struct CallerFetch: Sendable {
  /// Sends requests.
  package let transport: any CallerTransport
  /// The end of the call's time, in milliseconds of uptime.
  package let deadline: Int64

  /// - Parameters:
  ///   - transport: sends requests.
  ///   - deadline: the end of the call's time, in milliseconds of uptime.
  package init(_ transport: any CallerTransport, deadline: Int64) {
    self.transport = transport
    self.deadline = deadline
  }
}

/// Why a call that may fetch has no keys, or no verified token.
package enum CallerFetchError: Error, Equatable {
  /// The verification failed.
  case verification(OpenIDError)
  /// Another thread fetches the keys, and has not ended in the call's time.
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
  /// Happens when the fetch has ended.
  let landed = ThreadEvent()

  init(_ reason: KeySetState.Reason, until end: Int64) {
    self.reason = reason
    self.end = end
  }

  /// True if the calling thread runs this fetch.
  var isOwn: Bool { thread == CurrentThread.number && process == getpid() }

  /// False if the fetch has taken too long, or runs in the process that this one was forked from.
  func isUnderWay(at now: Int64) -> Bool { now < end && process == getpid() }
}

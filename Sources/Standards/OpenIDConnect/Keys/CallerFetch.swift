package import HTTPExchange
internal import Synchronization
internal import TokenSecurityPlatform

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
  /// Who fetches, and until when another thread may not.
  let work: ThreadWork
  /// True if the fetch has as much time as a fetch may take, so that its end says something about the server.
  let hasFullTime: Bool

  init(_ reason: KeySetState.Reason, until end: Int64, hasFullTime: Bool) {
    self.reason = reason
    work = ThreadWork(until: end)
    self.hasFullTime = hasFullTime
  }
}

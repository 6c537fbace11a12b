/// Work of one thread, for the threads that wait for it.
package final class ThreadWork: Sendable {
  private let thread = CurrentThread.number
  private let process = getpid()
  /// After this time, in milliseconds of uptime, another thread may do it.
  package let end: Int64
  /// Happens when it is done, or given up.
  package let done = ThreadEvent()

  /// Work that the calling thread begins.
  ///
  /// - Parameter end: when another thread may do it, in milliseconds of uptime.
  package init(until end: Int64) { self.end = end }

  /// True if the calling thread does it.
  package var isOwn: Bool { thread == CurrentThread.number && isOfThisProcess }

  /// False if it is done in the process that this one was forked from.
  package var isOfThisProcess: Bool { process == getpid() }

  /// False if it has taken too long, or is done in the process that this one was forked from.
  package func isUnderWay(at now: Int64) -> Bool { now < end && isOfThisProcess }
}

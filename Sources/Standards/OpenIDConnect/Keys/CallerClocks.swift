internal import TokenSecurityPlatform

/// The clocks of key sets that callers fetch.
package struct CallerClocks: Sendable {
  /// Seconds, for the lifetimes of keys.
  package let seconds: @Sendable () -> Int64
  /// Milliseconds, for the time limits of calls.
  package let milliseconds: @Sendable () -> Int64

  /// The clocks of the machine.
  package static let system = CallerClocks(
    seconds: { SystemClock.bootSeconds }, milliseconds: { SystemClock.uptimeMilliseconds })

  package init(seconds: @escaping @Sendable () -> Int64, milliseconds: @escaping @Sendable () -> Int64) {
    self.seconds = seconds
    self.milliseconds = milliseconds
  }
}

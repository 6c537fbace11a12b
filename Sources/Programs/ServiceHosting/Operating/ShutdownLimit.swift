internal import Foundation
package import Logging
internal import Synchronization
internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// A time limit for the whole shutdown of a process. After it the log names the steps that have not ended, and the process
/// exits with status 1.
///
/// The programs write a change before they respond, so a process may exit at any time that sends no message. The limit works without tasks, event
/// loops and timers of Dispatch: what keeps a shutdown from ending may block those.
package final class ShutdownLimit: Sendable {
  /// Calls `action` once, after `time`, and returns at once.
  package typealias Timer = @Sendable (_ time: Duration, _ action: @escaping @Sendable () -> Void) -> Void

  /// The time for the shutdown after the connections were closed: for calls and background tasks to end, and for the data to
  /// be closed.
  package static let rest = Duration.seconds(10)
  /// The further time while messages are being sent. Together they are longer than a sender has, 30 seconds, and a write: a
  /// message whose sending is interrupted is sent a second time.
  package static let sendingRest = Duration.seconds(25)
  /// The time for the line of the log. A pipe that nothing reads blocks its writer.
  private static let logTime = Duration.seconds(1)

  private struct State {
    var hasBegun = false
    var isSending: @Sendable () -> Bool = { false }
    var running: [ExactString] = []
    var ended: [ExactString] = []
  }

  private let time: Duration
  private let logger: Logger
  private let timer: Timer
  private let exit: @Sendable () -> Void
  private let state = Mutex(State())

  /// Makes a limit. The time runs from ``start()``.
  ///
  /// - Parameters:
  ///   - time: the limit.
  ///   - logger: the log.
  ///   - timer: measures the limit. Default: a thread of its own.
  ///   - exit: ends the process. Default: with status 1, without handlers of the exit, which might wait too.
  package init(
    _ time: Duration, logger: Logger, timer: @escaping Timer = onThread,
    exit: @escaping @Sendable () -> Void = { _exit(1) }
  ) {
    self.time = time
    self.logger = logger
    self.timer = timer
    self.exit = exit
  }

  /// Starts the time, once.
  package func start() {
    let isFirst = state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
    guard isFirst else { return }
    timer(time) { [self] in
      let isSending = state.withLock { $0.isSending }
      if isSending() { timer(Self.sendingRest) { self.expire() } } else { expire() }
    }
  }

  /// Lets the limit be 25 seconds longer if messages are being sent when it has passed.
  ///
  /// - Parameter isSending: whether messages are being sent. It may not wait for tasks.
  package func extend(while isSending: @escaping @Sendable () -> Bool) {
    state.withLock { $0.isSending = isSending }
  }

  /// Begins a step of the shutdown; the first one starts the time.
  package func begin(_ step: String) {
    start()
    let step = ExactString(step)
    state.withLock { state in
      if !state.running.contains(step) { state.running.append(step) }
    }
  }

  /// Ends a step. A step that has not begun is not noted.
  package func end(_ step: String) {
    let step = ExactString(step)
    state.withLock { state in
      guard let index = state.running.firstIndex(of: step) else { return }
      state.ended.append(state.running.remove(at: index))
    }
  }

  /// True while a step has begun and has not ended.
  package func isRunning(_ step: String) -> Bool {
    let step = ExactString(step)
    return state.withLock { $0.running.contains(step) }
  }

  private func expire() {
    timer(Self.logTime, exit)
    let (running, ended) = state.withLock { ($0.running, $0.ended) }
    logger.log(
      .error, "shutdown timeout: steps of the shutdown have not ended",
      with: [("steps", Self.text(running)), ("ended", Self.text(ended))])
    exit()
  }

  private static func text(_ steps: [ExactString]) -> String {
    steps.isEmpty ? "none" : steps.map(\.text).joined(separator: ", ")
  }

  /// A timer that waits on a thread of its own.
  package static let onThread: Timer = { time, action in
    Thread.detachNewThread {
      let start = SuspendingClock.now
      wait(time, elapsed: { SuspendingClock.now - start }, pause: { usleep(50_000) })
      action()
    }
  }

  /// Waits in pauses of 50 milliseconds: a signal ends one of them early. On a machine with too much work each takes longer,
  /// so that the time is measured; a clock that stands still does not keep it from ending.
  static func wait(_ time: Duration, elapsed: () -> Duration, pause: () -> Void) {
    for _ in 0..<max(0, Int(time / .milliseconds(50))) {
      if elapsed() >= time { return }
      pause()
    }
  }
}

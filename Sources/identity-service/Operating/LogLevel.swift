internal import Logging
internal import Synchronization

/// The log's level, which can change while the service runs.
final class LogLevel: Sendable {
  private let state: Mutex<Logger.Level>

  init(_ level: Logger.Level) { state = Mutex(level) }

  var current: Logger.Level {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

package import Logging
internal import Synchronization

/// The log's level, which can change while the service runs.
package final class LogLevel: Sendable {
  private let state: Mutex<Logger.Level>

  package init(_ level: Logger.Level) { state = Mutex(level) }

  package var current: Logger.Level {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

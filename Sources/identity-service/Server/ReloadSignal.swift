internal import Logging
internal import ServiceLifecycle
internal import UnixSignals

/// Reloads the certificate and the log level on SIGHUP.
struct ReloadSignal: Service {
  let signals: UnixSignalsSequence
  let certificates: ServerCertificates?
  /// Reads the log level from the settings again.
  let readLevel: @Sendable () throws -> Logger.Level
  let level: LogLevel
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      for await _ in signals { reload() }
    }
    // The signal must not end a process that is stopping.
  }

  private func reload() {
    do {
      let next = try readLevel()
      let last = level.current
      level.current = next
      logger.log(
        .notice, "SIGHUP: settings read again",
        with: [("log-level", next.rawValue), ("before", last.rawValue)])
    } catch {
      logger.log(
        .error, "SIGHUP: the settings cannot be read; the log level stays", with: [("reason", "\(error)")])
    }
    certificates?.reload(isForced: true)
  }
}

internal import Logging
internal import ServiceLifecycle
internal import UnixSignals

/// Reloads the certificate, the functions of user pools, and the settings that can change while the service runs, on SIGHUP.
struct ReloadSignal: Service {
  let signals: UnixSignalsSequence
  let certificates: ServerCertificates?
  /// Reads the settings again.
  let reread: @Sendable () throws -> ServiceConfiguration
  let level: LogLevel
  let crossOrigin: CrossOrigin
  let messages: MessageSettings
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      for await _ in signals { reload() }
    }
    // The signal must not end a process that is stopping.
  }

  private func reload() {
    do {
      let settings = try reread()
      let origins = try AllowedOrigins(settings.allowedOrigins)
      crossOrigin.set(origins)
      let (last, next) = (level.current, settings.logLevel)
      level.current = next
      logger.log(
        .notice, "SIGHUP: settings read again",
        with: [("log-level", next.rawValue), ("before", last.rawValue)])
    } catch {
      logger.log(
        .error, "SIGHUP: the settings cannot be read; they stay as they are", with: [("reason", "\(error)")])
    }
    do {
      if let count = try messages.reload() {
        logger.log(.notice, "SIGHUP: functions read again", with: [("functions", "\(count)")])
      }
    } catch {
      logger.log(
        .error, "SIGHUP: messages or functions cannot be read again; they stay as they are",
        with: [("reason", "\(error)")])
    }
    certificates?.reload(isForced: true)
  }
}

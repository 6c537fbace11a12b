internal import Logging
internal import ServiceLifecycle
internal import UnixSignals
internal import ServiceHosting

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
    if EarlyReload.isAsked { reload() }
    await cancelWhenGracefulShutdown {
      for await _ in signals {
        // Signals that wait are given also after a cancellation, and an end does not wait for them.
        if Task.isCancelled { break }
        reload()
      }
    }
    // The signal must not end a process that is stopping.
  }

  private func reload() {
    do {
      try reloadSettings()
    } catch {
      logger.log(
        .error, "SIGHUP: the settings cannot be read again; nothing was changed",
        with: [("reason", "\(error)")])
    }
    // It logs what comes of it.
    certificates?.reload(isForced: true)
  }

  /// Reads the settings, the file of messages and the functions again. What is read is used once all of it was read
  /// without an error.
  private func reloadSettings() throws {
    let settings = try reread()
    let origins = try AllowedOrigins(settings.allowedOrigins)
    let functions = try messages.reload()
    crossOrigin.set(origins)
    let (last, next) = (level.current, settings.logLevel)
    level.current = next
    var values = [(name: "log-level", value: next.rawValue), (name: "before", value: last.rawValue)]
    if let functions { values.append((name: "functions", value: "\(functions)")) }
    logger.log(.notice, "SIGHUP: settings read again", with: values)
  }
}

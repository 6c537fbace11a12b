internal import Logging
internal import OpenIDConnect
internal import ServiceHosting
internal import ServiceLifecycle
internal import UnixSignals

/// Reads the configuration again on SIGHUP: all of it is used, or nothing.
struct ReloadOnSignal: Service {
  let signals: UnixSignalsSequence
  let file: ConfigurationFile
  /// The configuration of the start, whose addresses and number of connections stay.
  let started: SidecarConfiguration
  let rules: CurrentRules
  let level: LogLevel
  let logger: Logger

  func run() async throws {
    if EarlyReload.isAsked { reload() }
    await cancelWhenGracefulShutdown {
      for await _ in signals { reload() }
    }
  }

  private func reload() {
    do throws(StartError) {
      let read = try file.read()
      guard read.tokens.listen == started.tokens.listen,
        read.tokens.management == started.tokens.management,
        read.tokens.connections == started.tokens.connections
      else {
        logger.error(
          "SIGHUP: addresses, socket_mode and the number of connections need a restart; nothing was changed")
        return
      }
      try rules.replace { former throws(StartError) in
        try Sidecar.rules(read, of: file, replacing: former, logger: logger)
      }
      level.current = read.tokens.logLevel
      logger.log(
        .notice, "SIGHUP: configuration read again",
        with: [("routes", "\(read.routeCount)"), ("policies", "\(read.tokens.policies.count)")])
    } catch {
      logger.log(
        .error, "SIGHUP: the configuration cannot be used; nothing was changed",
        with: [("code", error.codeText), ("reason", "\(error)")])
    }
  }
}

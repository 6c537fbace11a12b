internal import Dispatch
internal import ServiceLifecycle
internal import TokenSecurityPlatform

/// Starts the limit of a shutdown at the signal itself.
///
/// The services are stopped by tasks. Where event loops are blocked, by a log that nothing reads for instance, no task runs.
package struct SignalledLimit: Service {
  private let limit: ShutdownLimit
  private let signals: [Int32]

  /// Describes the service. In a group it comes last: it ends when the services begin to.
  ///
  /// - Parameters:
  ///   - limit: the limit.
  ///   - signals: the signals that stop the services. Another part of the process handles them.
  package init(_ limit: ShutdownLimit, signals: [Int32] = [SIGTERM, SIGINT]) {
    self.limit = limit
    self.signals = signals
  }

  package func run() async throws {
    let queue = DispatchQueue(label: "ServiceHosting.SignalledLimit")
    let sources = signals.map { DispatchSource.makeSignalSource(signal: $0, queue: queue) }
    for source in sources {
      source.setEventHandler { [limit] in limit.start() }
      source.activate()
    }
    // A cancellation ends it, too.
    try? await gracefulShutdown()
    for source in sources { source.cancel() }
  }
}

internal import CognitoSync
internal import Logging
internal import Metrics
internal import ServiceLifecycle
internal import TokenSecurityEncodings
internal import ServiceHosting

/// Sends the push messages in the outbox while the server runs. Messages that are being sent when it stops are sent
/// to the end.
struct PushService: Service {
  private let delivery: PushDelivery

  /// Makes the service.
  ///
  /// - Parameters:
  ///   - service: the data sets.
  ///   - sender: sends the messages.
  ///   - logger: gets what could not be sent, without tokens.
  init(_ service: SyncService, sender: any PushSender, logger: Logger) {
    delivery = PushDelivery(
      service.store, outbox: service.outbox, account: service.settings.account, sender: sender
    ) { event in Self.report(event, logger) }
  }

  func run() async throws {
    await cancelWhenGracefulShutdown { await delivery.run() }
  }

  private static func report(_ event: PushDelivery.Event, _ logger: Logger) {
    let (outcome, level, text, error): (String, Logger.Level, Logger.Message, (any CodedError)?) =
      switch event.outcome {
      case .sent: ("sent", .debug, "push message sent", nil)
      case .withdrawn: ("withdrawn", .debug, "push message withdrawn: the device is not subscribed", nil)
      case .delayed(let error): ("delayed", .info, "push message could not be sent; it is tried again", error)
      case .dropped(let error): ("dropped", .info, "push message could not be sent", error)
      case .lost: ("lost", .info, "push messages had no room in the outbox", nil)
      case .endpointRemoved: ("endpoint_removed", .debug, "endpoint of a device that is gone removed", nil)
      case .endpointDelayed(let error):
        ("endpoint_delayed", .info, "endpoint could not be removed; it is tried again", error)
      case .endpointLeft(let error): ("endpoint_left", .info, "endpoint could not be removed", error)
      case .storeFailed(let error): ("store", .error, "the outbox could not be read or written", error)
      }
    let count = if case .lost(let count) = event.outcome { count } else { 1 }
    Counter(label: "identity_push_messages_total", dimensions: [("outcome", outcome)]).increment(by: count)
    logger.log(
      level, text,
      with: [
        ("pool", event.poolID), ("device", event.deviceID), ("attempts", "\(event.attempts)"),
        ("count", "\(count)"),
      ] + (error.map { [("code", $0.codeText), ("reason", "\($0)")] } ?? []))
  }
}

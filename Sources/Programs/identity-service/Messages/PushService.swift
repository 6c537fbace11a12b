internal import CognitoSync
internal import Logging
internal import Metrics
internal import ServiceHosting
internal import ServiceLifecycle
internal import TokenLifetime
internal import TokenSecurityBase

/// Sends the push messages in the outbox until the server begins to stop. Messages that are being sent then are sent
/// to the end.
struct PushService: Service {
  private let delivery: PushDelivery
  private let early = EarlyStop()

  /// Makes the service.
  ///
  /// - Parameters:
  ///   - service: the data sets.
  ///   - sender: sends the messages.
  ///   - logger: gets what could not be sent, without tokens.
  init(_ service: SyncService, sender: any PushSender, logger: Logger) {
    let failures = ReportLimit(interval: .seconds(60))
    delivery = PushDelivery(
      service.store, outbox: service.outbox, account: service.settings.account, sender: sender
    ) { event in Self.report(event, logger, failures) }
  }

  /// True while messages are being sent.
  var isSending: Bool { delivery.isSending }

  func run() async throws { await early.run { await delivery.run() } }

  /// Begins no further messages: the shutdown begins. What waits is sent by another process.
  func stop() { early.stop() }

  /// Devices register tokens of their own, so that their lines are at `info`.
  private static func report(_ event: PushDelivery.Event, _ logger: Logger, _ failures: ReportLimit) {
    let (outcome, error): (String, (any CodedError)?) =
      switch event.outcome {
      case .sent: ("sent", nil)
      case .withdrawn: ("withdrawn", nil)
      case .delayed(let error): ("delayed", error)
      case .dropped(let error): ("dropped", error)
      case .lost: ("lost", nil)
      case .endpointRemoved: ("endpoint_removed", nil)
      case .endpointDelayed(let error): ("endpoint_delayed", error)
      case .endpointLeft(let error): ("endpoint_left", error)
      case .storeFailed(let error): ("store", error)
      }
    let code = error?.codeText ?? "ok"
    let count = if case .lost(let count) = event.outcome { count } else { 1 }
    Counter(label: "identity_push_messages_total", dimensions: [("outcome", outcome), ("code", code)])
      .increment(by: count)
    var values = [
      ("pool", event.poolID), ("device", event.deviceID), ("attempts", "\(event.attempts)"),
      ("count", "\(count)"),
    ]
    if let error { values += [("code", code), ("reason", "\(error)")] }
    switch event.outcome {
    case .sent: logger.log(.debug, "push message sent", with: values)
    case .withdrawn:
      logger.log(.debug, "push message withdrawn: the device is not subscribed", with: values)
    case .delayed: logger.log(.info, "push message could not be sent; it is tried again", with: values)
    case .dropped: logger.log(.info, "push message could not be sent", with: values)
    case .lost: logger.log(.info, "push messages had no room in the outbox", with: values)
    case .endpointRemoved:
      logger.log(.debug, "endpoint of a device that is gone removed", with: values)
    case .endpointDelayed:
      logger.log(.info, "endpoint could not be removed; it is tried again", with: values)
    case .endpointLeft: logger.log(.info, "endpoint could not be removed", with: values)
    case .storeFailed:
      guard let before = failures.report(code) else { return }
      logger.log(
        .error, "the outbox of push messages could not be read or written",
        with: values + [("before", "\(before)")])
    }
  }
}

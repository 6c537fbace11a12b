internal import CognitoUserPool
internal import Logging
internal import Metrics
internal import ServiceHosting
internal import ServiceLifecycle
internal import TokenLifetime
internal import TokenSecurityBase

/// Sends the messages in the outbox until the server begins to stop. Messages that are being sent then are sent
/// to the end.
struct MessageService: Service {
  private let delivery: MessageDelivery
  private let early = EarlyStop()

  /// Makes the service.
  ///
  /// - Parameters:
  ///   - service: the user pools.
  ///   - sender: sends the messages.
  ///   - logger: gets what could not be sent, without codes and addresses.
  init(_ service: UserPoolService, sender: any MessageSender, logger: Logger) {
    let failures = ReportLimit(interval: .seconds(60))
    delivery = MessageDelivery(service, sender: sender) { event in Self.report(event, logger, failures) }
  }

  /// True while messages are being sent.
  var isSending: Bool { delivery.isSending }

  func run() async throws { await early.run { await delivery.run() } }

  /// Begins no further messages: the shutdown begins. What waits is sent by another process.
  func stop() { early.stop() }

  /// Whoever may give an address can make messages fail. So their lines are at `info`, and metrics have the reasons.
  private static func report(
    _ event: MessageDelivery.Event, _ logger: Logger, _ failures: ReportLimit
  ) {
    let (outcome, error): (String, (any CodedError)?) =
      switch event.outcome {
      case .sent: ("sent", nil)
      case .delayed(let error): ("delayed", error)
      case .dropped(let error): ("dropped", error)
      case .storeFailed(let error): ("store", error)
      }
    let code = error?.codeText ?? "ok"
    Counter(
      label: "identity_messages_total",
      dimensions: [("medium", event.medium.name), ("outcome", outcome), ("code", code)]
    ).increment()
    var values = [
      ("message", event.id), ("pool", event.poolID), ("medium", event.medium.name),
      ("attempts", "\(event.attempts)"),
    ]
    if let error { values += [("code", code), ("reason", "\(error)")] }
    switch event.outcome {
    case .sent: logger.log(.debug, "message sent", with: values)
    case .delayed: logger.log(.info, "message could not be sent; it is tried again", with: values)
    case .dropped: logger.log(.info, "message could not be sent", with: values)
    case .storeFailed:
      guard let before = failures.report(code) else { return }
      logger.log(
        .error, "the outbox could not be read or written", with: values + [("before", "\(before)")])
    }
  }
}

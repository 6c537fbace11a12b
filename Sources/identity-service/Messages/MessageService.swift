internal import CognitoUserPool
internal import Logging
internal import Metrics
internal import ServiceLifecycle
internal import TokenSecurityEncodings
internal import ServiceHosting

/// Sends the messages in the outbox while the server runs. Messages that are being sent when it stops are sent
/// to the end.
struct MessageService: Service {
  private let delivery: MessageDelivery

  /// Makes the service.
  ///
  /// - Parameters:
  ///   - service: the user pools.
  ///   - sender: sends the messages.
  ///   - logger: gets what could not be sent, without codes and addresses.
  init(_ service: UserPoolService, sender: any MessageSender, logger: Logger) {
    delivery = MessageDelivery(service, sender: sender) { event in Self.report(event, logger) }
  }

  func run() async throws {
    await cancelWhenGracefulShutdown { await delivery.run() }
  }

  private static func report(_ event: MessageDelivery.Event, _ logger: Logger) {
    let values = [
      ("message", event.id), ("pool", event.poolID), ("medium", event.medium.name),
      ("attempts", "\(event.attempts)"),
    ]
    let (outcome, level, text, error): (String, Logger.Level, Logger.Message, (any CodedError)?) =
      switch event.outcome {
      case .sent: ("sent", .debug, "message sent", nil)
      case .delayed(let error): ("delayed", .warning, "message could not be sent; it is tried again", error)
      case .dropped(let error): ("dropped", .error, "message could not be sent", error)
      case .storeFailed(let error): ("store", .error, "the outbox could not be read or written", error)
      }
    Counter(
      label: "identity_messages_total",
      dimensions: [("medium", event.medium.name), ("outcome", outcome)]
    ).increment()
    logger.log(
      level, text, with: values + (error.map { [("code", $0.codeText), ("reason", "\($0)")] } ?? []))
  }
}

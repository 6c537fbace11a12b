public import TokenSecurityBase

/// Sends messages to users: an e-mail or SMS gateway.
///
///     struct Printer: MessageSender {
///       func send(_ message: OutgoingMessage) async throws(MessageError) {
///         print(message.destination, message.body)
///       }
///     }
///
/// ``MessageDelivery`` calls it for each message, again after `unavailable`. A message can be sent twice, for
/// instance where a process ends before it has noted that it sent one; ``OutgoingMessage/id`` is then the
/// same.
public protocol MessageSender: Sendable {
  /// Sends a message. At most eight messages of a medium are sent at a time, each within 30 seconds.
  ///
  /// - Parameter message: the message.
  /// - Throws: `unavailable` where a later try may succeed, `refused` otherwise.
  func send(_ message: OutgoingMessage) async throws(MessageError)
}

/// Why a message was not sent. It contains neither the code nor the address.
@nonexhaustive public enum MessageError: CodedError, Hashable {
  /// The message could not be sent now.
  case unavailable(String)
  /// The message cannot be sent.
  case refused(String)

  /// The stable codes. Codes keep their meaning; new ones may be added.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    case unavailable = "message_unavailable"
    case refused = "message_refused"
  }

  /// The code and the sentence of the error.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .unavailable(let reason):
      (.unavailable, "the message cannot be sent now: \(reason.visible(upTo: 200))")
    case .refused(let rule): (.refused, "the message cannot be sent: \(rule.visible(upTo: 200))")
    }
  }
}

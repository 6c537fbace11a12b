internal import TokenSecurityBase

/// Verifies the events of a request's body in their order. The caller must end the stream after an error.
public struct EventVerifier: ~Copyable, Sendable {
  /// The request with the events as its body. Its signature was verified.
  public let request: VerifiedRequest<EventBinding>
  private let key: CheckingKey
  private let scope: CredentialScope
  private let skew: Int64
  private var previous: String
  private var hasEnded = false

  init(_ request: VerifiedRequest<EventBinding>, key: CheckingKey, skew: Int64) {
    self.request = request
    self.key = key
    self.skew = skew
    scope = request.parameters.scope
    previous = request.parameters.signatureText
  }

  /// Verifies a signed message.
  ///
  /// - Parameters:
  ///   - message: the next message of the stream.
  ///   - now: the current time.
  /// - Returns: the event in the message; nil for the message that ends the stream.
  /// - Throws: `eventMalformed`, `eventSignatureMismatch`, `eventAfterEnd`; `requestExpired` and
  ///   `requestFromFuture` when its date differs from `now` by more than ``VerifierPolicy/skew``.
  public mutating func verify(_ message: EventMessage, at now: Timestamp = .now) throws(SigV4Error)
    -> EventMessage?
  {
    let now = now.signingSecond
    guard !hasEnded else { throw .eventAfterEnd }
    guard case .timestamp(let milliseconds)? = message[":date"], milliseconds >= 0,
      case .bytes(let signature)? = message[":chunk-signature"], message.headers.count == 2
    else { throw .eventMalformed("a signed event has the headers :date and :chunk-signature, and no others") }
    let date = Timestamp(seconds: milliseconds / 1_000)
    try RequestVerifier.checkSkew(date, now, skew)
    let text = try EventChain.text(
      key.algorithm, date, scope, previous,
      headers: EventMessage.encode([.init(":date", .timestamp(milliseconds))]),
      payload: message.payload)
    guard try key.check(signature, over: text.span) else { throw .eventSignatureMismatch }
    previous = Hex.string(signature)
    guard !message.payload.isEmpty else {
      hasEnded = true
      return nil
    }
    guard let (event, length) = try EventMessage.read(message.payload.span), length == message.payload.count
    else {
      throw .eventMalformed("the payload is not one event")
    }
    return event
  }

  /// Checks that the stream is complete.
  ///
  /// - Throws: `bodyEndedEarly` without the event that ends the stream.
  public consuming func finish() throws(SigV4Error) {
    guard hasEnded else { throw .bodyEndedEarly }
  }
}

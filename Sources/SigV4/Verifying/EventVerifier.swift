internal import TokenSecurityEncodings

/// Verifies the events of a request's body, one after the other. One that does not hold ends the stream.
public struct EventVerifier: ~Copyable, Sendable {
  /// The request that the events are the body of; its signature holds.
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

  /// The event inside a signed message; nil for the message that ends the stream.
  ///
  /// - Throws: `eventMalformed`, `eventSignatureMismatch`, `eventAfterEnd`, and `requestExpired` or
  ///   `requestFromFuture` where its date is more than 15 minutes off.
  public mutating func verify(_ message: EventMessage, at now: Timestamp = .now) throws(SigV4Error)
    -> EventMessage?
  {
    let now = now.signingSecond
    guard !hasEnded else { throw .eventAfterEnd }
    guard case .timestamp(let milliseconds)? = message[":date"], milliseconds >= 0,
      case .bytes(let signature)? = message[":chunk-signature"], message.headers.count == 2
    else { throw .eventMalformed("a signed event has :date and :chunk-signature, and nothing else") }
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
      throw .eventMalformed("what was signed is not one event")
    }
    return event
  }

  /// The verdict on the whole stream.
  ///
  /// - Throws: `bodyEndedEarly` where the event that ends it did not come.
  public consuming func finish() throws(SigV4Error) {
    guard hasEnded else { throw .bodyEndedEarly }
  }
}

internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// Signs the events of a request's body, one after the other.
///
/// Each event is put as a whole into the payload of a message that carries `:date` and `:chunk-signature`. The
/// signature covers the one before it, and the first one that of the request.
public struct EventSigner: ~Copyable, Sendable {
  private let key: SigningKey
  private let scope: CredentialScope
  private var previous: String

  init(key: SigningKey, scope: CredentialScope, seed: String) {
    self.key = key
    self.scope = scope
    previous = seed
  }

  /// A signer behind a signature that was made elsewhere.
  package init(key: ScopedSigningKey, seed: String) {
    self.init(key: .hmac(key), scope: key.scope, seed: seed)
  }

  /// The signed message around `event`, as it is sent.
  ///
  /// - Throws: `eventMalformed` where it is too large; `scopeDateMismatch` on another day than the request's.
  public mutating func sign(_ event: EventMessage, at date: AmzDate = .now) throws(SigV4Error) -> [UInt8] {
    try sign(payload: event.encoded(), at: date)
  }

  /// The end of the stream: a signed message around nothing.
  public consuming func finish(at date: AmzDate = .now) throws(SigV4Error) -> [UInt8] {
    try sign(payload: [], at: date)
  }

  /// The signed message around bytes that are an event already.
  public mutating func sign(payload: [UInt8], at date: AmzDate = .now) throws(SigV4Error) -> [UInt8] {
    let dateHeader = EventMessage.Header(":date", .timestamp(date.seconds * 1_000))
    let text = try EventChain.text(
      key.algorithm, date, scope, previous, headers: EventMessage.encode([dateHeader]), payload: payload)
    let signature = try key.sign(text.span)
    previous = Hex.string(signature)
    return try EventMessage(
      headers: [dateHeader, .init(":chunk-signature", .bytes(signature))], payload: payload
    ).encoded()
  }
}

/// The text that the signature of one event is over.
enum EventChain {
  static func text(
    _ algorithm: SigningAlgorithm, _ date: AmzDate, _ scope: CredentialScope, _ previous: String,
    headers: [UInt8],
    payload: [UInt8]
  ) throws(SigV4Error) -> [UInt8] {
    // A key is for one day: a stream that goes on past midnight, in UTC, has to be opened anew.
    guard date.day == Array(scope.day.utf8) else { throw .scopeDateMismatch(scope: scope.day, date: date) }
    return try StringToSign.event(
      algorithm, date: date, scope: scope, previous: previous, headerHash: SigV4Error.hash(headers.span),
      payloadHash: SigV4Error.hash(payload.span))
  }
}

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
  public mutating func verify(_ message: EventMessage, at now: AmzDate = .now) throws(SigV4Error)
    -> EventMessage?
  {
    guard !hasEnded else { throw .eventAfterEnd }
    guard case .timestamp(let milliseconds)? = message[":date"], milliseconds >= 0,
      case .bytes(let signature)? = message[":chunk-signature"], message.headers.count == 2
    else { throw .eventMalformed("a signed event has :date and :chunk-signature, and nothing else") }
    let date = AmzDate(seconds: milliseconds / 1_000)
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

extension SignedRequest {
  /// What signs the events of this request's body.
  ///
  /// - Throws: `notStreamed` where the request was not signed for events.
  public func eventSigner() throws(SigV4Error) -> EventSigner {
    guard case .events = payload else { throw .notStreamed }
    return EventSigner(key: key, scope: scope, seed: signature)
  }
}

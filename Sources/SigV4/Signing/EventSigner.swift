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
  public mutating func sign(_ event: EventMessage, at date: Timestamp = .now) throws(SigV4Error) -> [UInt8] {
    try sign(payload: event.encoded(), at: date)
  }

  /// The end of the stream: a signed message around nothing.
  public consuming func finish(at date: Timestamp = .now) throws(SigV4Error) -> [UInt8] {
    try sign(payload: [], at: date)
  }

  /// The signed message around bytes that are an event already.
  public mutating func sign(payload: [UInt8], at date: Timestamp = .now) throws(SigV4Error) -> [UInt8] {
    let date = date.signingSecond
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

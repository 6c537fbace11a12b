internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Signs the events of a request's body in their order.
///
/// Each event becomes the payload of a message with the headers `:date` and `:chunk-signature`. Each
/// signature covers the previous one, and the first one the signature of the request.
public struct EventSigner: ~Copyable, Sendable {
  private let key: SigningKey
  private let scope: CredentialScope
  private var previous: String

  init(key: SigningKey, scope: CredentialScope, seed: String) {
    self.key = key
    self.scope = scope
    previous = seed
  }

  /// A signer that continues after a given signature.
  package init(key: ScopedSigningKey, seed: String) {
    self.init(key: .hmac(key), scope: key.scope, seed: seed)
  }

  /// Signs an event.
  ///
  /// - Parameters:
  ///   - event: the event.
  ///   - date: the date of the signature, on the day of the request.
  /// - Returns: the bytes of the signed message.
  /// - Throws: `eventMalformed` for an event that is too large; `scopeDateMismatch` on another day.
  public mutating func sign(_ event: EventMessage, at date: Timestamp = .now) throws(SigV4Error) -> [UInt8] {
    try sign(payload: event.encoded(), at: date)
  }

  /// Returns the signed message with an empty payload that ends the stream.
  public consuming func finish(at date: Timestamp = .now) throws(SigV4Error) -> [UInt8] {
    try sign(payload: [], at: date)
  }

  /// Signs an encoded event.
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

public import HTTPTypes
public import SigV4

extension Signer {
  /// Signs a request of swift-http-types in its headers.
  ///
  ///     let signed = try signer.sign(&request, body: .bytes(body), with: credentials)
  ///
  /// - Returns: how the signature came about, and what signs the chunks of a streamed body.
  /// - Throws: what is wrong with the request or the credentials; the request is then as it was.
  @discardableResult
  public func sign(
    _ request: inout HTTPRequest, body: Payload = .none, with credentials: Credentials,
    at date: Timestamp = .now
  ) throws(SigV4Error) -> SignedRequest {
    let signed = try sign(RequestHead(request), body: body, with: credentials, at: date)
    try request.take(signed.head)
    return signed
  }

  /// The same with a key of the day, without the secret.
  @discardableResult
  public func sign(
    _ request: inout HTTPRequest, body: Payload = .none, with key: ScopedSigningKey,
    sessionToken: String? = nil,
    at date: Timestamp = .now
  ) throws(SigV4Error) -> SignedRequest {
    let signed = try sign(RequestHead(request), body: body, with: key, sessionToken: sessionToken, at: date)
    try request.take(signed.head)
    return signed
  }

  /// Presigns a request of swift-http-types.
  ///
  /// `lifetime`: 1 to 604,800 whole seconds.
  @discardableResult
  public func presign(
    _ request: inout HTTPRequest, expiresIn lifetime: Duration, body: Payload = .none,
    with credentials: Credentials,
    at date: Timestamp = .now
  ) throws(SigV4Error) -> SignedRequest {
    let signed = try presign(
      RequestHead(request), expiresIn: lifetime, body: body, with: credentials, at: date)
    try request.take(signed.head)
    return signed
  }
}

extension RequestVerifier {
  /// The first step for a request of swift-http-types.
  ///
  /// - Throws: also `hostMismatch` where `Host` and authority differ.
  public func parse(_ request: HTTPRequest, at now: Timestamp = .now) throws(SigV4Error) -> PendingRequest {
    try parse(RequestHead(request), at: now)
  }
}

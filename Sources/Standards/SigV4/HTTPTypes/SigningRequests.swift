#if SigV4HTTPTypes
  public import HTTPTypes

  extension Signer {
    /// Signs a request of swift-http-types in its headers.
    ///
    ///     let signed = try signer.sign(&request, body: .bytes(body), with: credentials)
    ///
    /// - Parameters:
    ///   - request: the request. It is unchanged after an error.
    ///   - body: how the signature covers the body.
    ///   - credentials: the credentials to sign with.
    ///   - date: the date of the signature.
    /// - Returns: the signed request, with the signers of a streamed body.
    /// - Throws: the first rule that the request or the credentials break.
    @discardableResult
    public func sign(
      _ request: inout HTTPRequest, body: Payload = .none, with credentials: Credentials,
      at date: Timestamp = .now
    ) throws(SigV4Error) -> SignedRequest {
      let signed = try sign(RequestHead(request), body: body, with: credentials, at: date)
      try request.update(signed.head)
      return signed
    }

    /// Signs a request of swift-http-types in its headers with a signing key instead of the secret.
    ///
    /// - Parameters:
    ///   - request: the request. It is unchanged after an error.
    ///   - body: how the signature covers the body.
    ///   - key: the key to sign with.
    ///   - sessionToken: the session token of temporary credentials.
    ///   - date: the date of the signature.
    /// - Returns: the signed request, with the signers of a streamed body.
    /// - Throws: the first rule that the request or the key breaks.
    @discardableResult
    public func sign(
      _ request: inout HTTPRequest, body: Payload = .none, with key: ScopedSigningKey,
      sessionToken: String? = nil,
      at date: Timestamp = .now
    ) throws(SigV4Error) -> SignedRequest {
      let signed = try sign(RequestHead(request), body: body, with: key, sessionToken: sessionToken, at: date)
      try request.update(signed.head)
      return signed
    }

    /// Presigns a request of swift-http-types.
    ///
    /// - Parameters:
    ///   - request: the request. It is unchanged after an error.
    ///   - lifetime: how long the URL is valid, 1 to 604,800 whole seconds (seven days).
    ///   - body: how the signature covers the body.
    ///   - credentials: the credentials to sign with.
    ///   - date: when the URL begins to be valid.
    /// - Returns: the signed request.
    /// - Throws: `lifetime`; the first rule that the request or the credentials break.
    @discardableResult
    public func presign(
      _ request: inout HTTPRequest, expiresIn lifetime: Duration, body: Payload = .none,
      with credentials: Credentials,
      at date: Timestamp = .now
    ) throws(SigV4Error) -> SignedRequest {
      var signed = try presign(
        RequestHead(request), expiresIn: lifetime, body: body, with: credentials, at: date)
      signed.isSecure = request.scheme?.lowercasedASCII != "http"
      try request.update(signed.head)
      return signed
    }
  }

  extension RequestVerifier {
    /// The first step for a request of swift-http-types; see `RequestVerifier.parse(_:at:)`.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - now: the current time.
    /// - Returns: the request, ready to look up a key.
    /// - Throws: the first rule that the request breaks; `hostMismatch` when `Host` and authority differ.
    public func parse(_ request: HTTPRequest, at now: Timestamp = .now) throws(SigV4Error) -> PendingRequest {
      try parse(RequestHead(request), at: now)
    }
  }
#endif

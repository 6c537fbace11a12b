internal import TokenLifetime
internal import TokenSecurityBase

/// Requests by the URL that they are sent to.
extension Signer {
  /// Signs a request by its method and its URL.
  ///
  ///     let signer = try Signer(service: "execute-api", region: "eu-west-1")
  ///     let signed = try signer.sign("GET", "https://api.example.com/items", with: credentials)
  ///     // send it with the headers signed.head.headers
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - url: the URL that the request is sent to.
  ///   - headers: further headers to sign. Default: none; `Host` is that of the URL.
  ///   - body: the body, an array or `Data`. Default: none.
  ///   - credentials: the credentials to sign with.
  ///   - date: the date of the signature.
  /// - Returns: the signed request.
  /// - Throws: `messageMalformed` for the URL; the first rule that the request or the credentials break.
  public func sign(
    _ method: String, _ url: String, headers: KeyValuePairs<String, String> = [:],
    body: some Sequence<UInt8> = [UInt8](), with credentials: Credentials, at date: Timestamp = .now
  ) throws(SigV4Error) -> SignedRequest {
    try sign(
      RequestHead(method, url: url, headers: headers), body: .bytes(Array(body)), with: credentials, at: date)
  }

  /// Presigns a request by its method and its URL.
  ///
  ///     let signer = try Signer(service: "s3", region: "eu-west-1")
  ///     let signed = try signer.presign(
  ///       "GET", "https://bucket.s3.eu-west-1.amazonaws.com/key", expiresIn: .seconds(300), with: credentials)
  ///     // signed.url
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - url: the URL.
  ///   - lifetime: how long the URL is valid, 1 to 604,800 whole seconds (seven days).
  ///   - headers: headers that each user of the URL must send. Default: none; `Host` is that of the URL.
  ///   - credentials: the credentials to sign with.
  ///   - date: when the URL begins to be valid.
  /// - Returns: the signed request; ``SignedRequest/url`` is its URL.
  /// - Throws: `messageMalformed` for the URL; as `presign(_:expiresIn:body:with:at:)`.
  public func presign(
    _ method: String, _ url: String, expiresIn lifetime: Duration,
    headers: KeyValuePairs<String, String> = [:], with credentials: Credentials, at date: Timestamp = .now
  ) throws(SigV4Error) -> SignedRequest {
    var signed = try presign(
      RequestHead(method, url: url, headers: headers), expiresIn: lifetime, with: credentials, at: date)
    signed.isSecure = !url.lowercasedASCII.hasPrefix("http://")
    return signed
  }
}

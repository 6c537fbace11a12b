/// An HTTP client that sends one request and returns its response.
///
/// Any HTTP client can be used. The module `AsyncHTTPTransport` has one over async-http-client, `CurlTransport` one
/// over libcurl. An implementation must
///
/// - follow no redirect: a response with a status of 3xx is returned;
/// - verify the server's certificate and name, and send plain HTTP to this machine only;
/// - stop reading at ``TransportLimits/responseSize`` and throw ``TransportError/tooLarge(limit:)``;
/// - send each request once: callers decide about retries;
/// - return soon when its task is cancelled, which ends a request that takes too long.
public protocol HTTPTransport: Sendable {
  /// Sends one request.
  ///
  /// - Parameter request: the request.
  /// - Returns: the response with any status.
  /// - Throws: why there is no complete response.
  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse
}

/// Limits of one exchange.
public struct TransportLimits: Sendable, Hashable {
  /// The maximum duration of the exchange, from connecting to the last byte of the response.
  public var timeout: Duration
  /// The maximum size of the response's body in bytes.
  public var responseSize: Int

  /// Limits of one exchange.
  ///
  /// - Parameters:
  ///   - timeout: the maximum duration.
  ///   - responseSize: the maximum size of the response's body in bytes.
  public init(timeout: Duration, responseSize: Int) {
    self.timeout = timeout
    self.responseSize = responseSize
  }
}

/// A request to a web server.
public struct TransportRequest: Sendable {
  /// The method.
  public var method: String
  /// The URL.
  public var url: HTTPURL
  /// The header fields. The transport adds `Content-Length`, and `Host` and `User-Agent` if they are missing.
  public var headers: TransportHeaders
  /// The body; empty for none.
  public var body: [UInt8]
  /// The limits of the exchange.
  public var limits: TransportLimits

  /// A request.
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - url: the URL.
  ///   - headers: the header fields.
  ///   - body: the body; empty for none.
  ///   - limits: the limits of the exchange.
  public init(
    method: String = "GET", url: HTTPURL, headers: TransportHeaders = [:], body: [UInt8] = [],
    limits: TransportLimits
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.limits = limits
  }
}

/// A web server's response.
public struct TransportResponse: Sendable {
  /// The status, 100 to 599.
  public var status: Int
  /// The header fields.
  public var headers: TransportHeaders
  /// The body. A caller that expects secrets moves it out and wipes it.
  public var body: [UInt8]

  /// A response.
  ///
  /// - Parameters:
  ///   - status: the status.
  ///   - headers: the header fields.
  ///   - body: the body.
  public init(status: Int, headers: TransportHeaders = [:], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

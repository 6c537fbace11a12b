package import HTTPExchange
internal import TokenSecurityBase
package import TokenSecurityCrypto

/// A response whose body contains secrets.
package struct SecretResponse: ~Copyable, Sendable {
  /// The status.
  package let status: Int
  /// The body.
  package let body: SecretBytes

  /// The response with its body as secret bytes. The body of `response` is wiped.
  package init(_ response: consuming TransportResponse) {
    status = response.status
    body = SecretBytes(wiping: &response.body)
  }
}

extension TransportRequest {
  /// A request for transport.
  ///
  /// - Parameters:
  ///   - head: the request without its body.
  ///   - body: the body.
  ///   - origin: scheme, host and port of the server; the `Host` header may name another one.
  ///   - limits: the limits of the exchange.
  /// - Throws: `addressInvalid` where `origin` and the target are not a URL.
  package init(
    _ head: RequestHead, body: [UInt8], to origin: String, limits: TransportLimits
  ) throws(TransportError) {
    self.init(
      method: head.method, url: try HTTPURL(origin + String(decoding: head.target, as: UTF8.self)),
      headers: TransportHeaders(
        head.headers.map { ($0.name, String(decoding: $0.value, as: UTF8.self)) }), body: body, limits: limits
    )
  }
}

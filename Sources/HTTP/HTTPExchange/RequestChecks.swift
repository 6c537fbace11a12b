internal import TokenSecurityBase

extension TransportRequest {
  /// The request as a transport may send it, with the lower limits.
  ///
  /// HTTP clients write the method and the header fields as they are: a line break in one of them would make two requests.
  ///
  /// - Parameters:
  ///   - limits: limits for all requests of a transport, besides this request's own.
  ///   - addresses: which URLs may be requested.
  /// - Returns: the request.
  /// - Throws: why it must not be sent.
  package func checked(
    _ limits: TransportLimits?, _ addresses: AddressRule
  ) throws(TransportError) -> TransportRequest {
    guard url.isSecure || url.isLoopback else { throw .notSecure(address: url.description) }
    if let reason = addresses.refusal(of: url) {
      throw .addressRefused(address: url.description, reason: reason)
    }
    guard TransportHeaders.isToken(method) else { throw .connection("the request's method is not a token") }
    for field in headers.fields {
      guard TransportHeaders.isToken(field.name) else {
        throw .connection("the name of a header field of the request is not a token")
      }
      guard TransportHeaders.isValue(field.value) else {
        throw .connection("the value of a header field of the request has a control character")
      }
    }
    guard let limits else { return self }
    var request = self
    request.limits.timeout = min(request.limits.timeout, limits.timeout)
    request.limits.responseSize = min(request.limits.responseSize, limits.responseSize)
    return request
  }
}

extension TransportHeaders {
  /// True for a token (RFC 9110 section 5.6.2): the name of a field, and a method.
  package static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
  }

  /// True for the value of a field (RFC 9110 section 5.5).
  package static func isValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }
  }
}

internal import TokenSecurityBase

/// A request of an operation: what a client sends.
public struct EncodedRequest: Sendable {
  /// The method.
  public var method: String
  /// The path and query, percent-encoded.
  public var target: String
  /// The header fields.
  public var headers: [(name: String, value: String)]
  /// The body.
  public var body: [UInt8]

  /// A request.
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - target: the path and query, percent-encoded.
  ///   - headers: the header fields.
  ///   - body: the body.
  public init(method: String, target: String, headers: [(name: String, value: String)], body: [UInt8]) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
  }
}

/// A response: what a service sends.
public struct EncodedResponse: Sendable {
  /// The status.
  public var status: Int
  /// The header fields. None has a control character.
  public let headers: [(name: String, value: String)]
  /// The body. It may contain secrets.
  public var body: [UInt8]

  /// A response.
  ///
  /// - Parameters:
  ///   - status: the status.
  ///   - headers: the header fields. One with a control character is left out.
  ///   - body: the body.
  public init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
    self.status = status
    // The usual response keeps its array.
    self.headers =
      headers.allSatisfy(EncodedMessage.isField) ? headers : headers.filter(EncodedMessage.isField)
    self.body = body
  }
}

/// Rules that requests and responses share.
enum EncodedMessage {
  /// True for a field without control characters. A line break would end the field or the head.
  static func isField(_ field: (name: String, value: String)) -> Bool {
    !ByteSearch.hasControl(field.name.utf8.span) && !ByteSearch.hasControl(field.value.utf8.span)
  }
}

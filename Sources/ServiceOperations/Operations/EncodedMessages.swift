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
}

/// A response: what a service sends.
public struct EncodedResponse: Sendable {
  /// The status.
  public var status: Int
  /// The header fields.
  public var headers: [(name: String, value: String)]
  /// The body. It may contain secrets.
  public var body: [UInt8]
}

internal import TokenSecurityBase

/// The head of a request, as routing needs it.
public struct OperationRequestHead: Sendable {
  /// The method.
  public var method: String
  /// The path and query as the client sent them.
  public var target: String
  /// The header fields.
  public var headers: [(name: String, value: String)]

  /// A head.
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - target: the path and query as the client sent them.
  ///   - headers: the header fields.
  public init(method: String, target: String, headers: [(name: String, value: String)]) {
    self.method = method
    self.target = target
    self.headers = headers
  }

  /// The path, as the client sent it.
  var path: String { target.parts(at: "?", most: 2)[0] }

  /// The query, as the client sent it; nil if absent.
  var query: String? {
    let parts = target.parts(at: "?", most: 2)
    return parts.count == 2 && !parts[1].isEmpty ? parts[1] : nil
  }

  /// True for `POST /`, with or without a query.
  var isPostOfRoot: Bool {
    let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
    return method == "POST" && path.count == 1 && path.first == UInt8(ascii: "/")
  }

  func header(_ name: String) -> String? {
    for index in headers.indices where headers[index].name.isEqualIgnoringASCIICase(to: name) {
      return headers[index].value
    }
    return nil
  }

  /// The value of a header field that a request has at most once: of two, another program may read the other.
  func onlyHeader(_ name: String) throws(OperationError) -> String? {
    var value: String?
    for index in headers.indices where headers[index].name.isEqualIgnoringASCIICase(to: name) {
      guard value == nil else { throw .serialization(rule: "the header field \(name) is duplicated") }
      value = headers[index].value
    }
    return value
  }
}

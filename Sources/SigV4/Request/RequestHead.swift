internal import TokenSecurityEncodings

/// A request without its body, as it stands on the wire: what is signed and what is verified.
///
///     var head = RequestHead("POST", "/", headers: ["Host": "cognito-identity.us-east-1.amazonaws.com"])
///
/// Path and query are the bytes of the request's target (RFC 9112 section 3.2), neither decoded nor cleaned up:
/// a signature is over what was sent.
public struct RequestHead: Sendable, Hashable {
  /// The method, `GET` for instance; its case counts.
  public var method: String
  /// The path, from its first `/` up to the query.
  public var path: [UInt8]
  /// The query behind `?`, without it; empty where there is none.
  public var query: [UInt8]
  /// The headers in their order, `Host` among them.
  public var headers: [HeaderField]

  /// A request of its parts.
  public init(method: String, path: [UInt8], query: [UInt8] = [], headers: [HeaderField]) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
  }

  /// A request of a target such as `/path?query`, and headers as text.
  public init(
    _ method: String, _ target: some StringProtocol, headers: KeyValuePairs<String, String> = [:]
  ) {
    self.method = method
    (path, query) = Self.split(target: Array(target.utf8))
    self.headers = headers.map { HeaderField($0.key, $0.value) }
  }

  /// The path and the query of a target.
  static func split(target: [UInt8]) -> (path: [UInt8], query: [UInt8]) {
    guard let mark = target.firstIndex(of: UInt8(ascii: "?")) else { return (target, []) }
    return (Array(target[..<mark]), Array(target[(mark + 1)...]))
  }

  /// Path and query, as they stand on the request line.
  public var target: [UInt8] { query.isEmpty ? path : path + [UInt8(ascii: "?")] + query }

  /// The values of the headers of this name, whose case does not count, in their order.
  public func values(_ name: String) -> [[UInt8]] {
    headers.lazy.filter { $0.hasName(name) }.map(\.value)
  }

  /// The value of the first header of this name, as text.
  public subscript(name: String) -> String? {
    let fields = headers.span
    for index in fields.indices where fields[index].hasName(name) {
      return String(decoding: fields[index].value, as: UTF8.self)
    }
    return nil
  }
}

/// One header: a name, and the bytes of its value.
public struct HeaderField: Sendable, Hashable {
  /// The name, in whatever case.
  public var name: String
  /// The value, as it was sent or is to be.
  public var value: [UInt8]

  /// A header of bytes.
  public init(_ name: String, _ value: [UInt8]) {
    self.name = name
    self.value = value
  }

  /// A header of text.
  public init(_ name: String, _ value: String) {
    self.init(name, Array(value.utf8))
  }

  /// True where the name is this one; the case of ASCII letters does not count.
  func hasName(_ other: String) -> Bool {
    let mine = name.utf8.span
    let theirs = other.utf8.span
    guard mine.count == theirs.count else { return false }
    for index in mine.indices where mine[index] != theirs[index] {
      guard mine[index].lowercasedASCII == theirs[index].lowercasedASCII else { return false }
    }
    return true
  }
}

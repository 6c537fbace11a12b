internal import HTTPExchange
internal import TokenSecurityBase

/// A request without its body, as it is sent.
///
///     var head = RequestHead("POST", "/", headers: ["Host": "cognito-identity.us-east-1.amazonaws.com"])
///
/// Path and query are the bytes of the request's target (RFC 9112 section 3.2), neither decoded nor
/// normalised, because a signature covers what was sent.
public struct RequestHead: Sendable, Hashable {
  /// The method, `GET` for example; case-sensitive.
  public var method: String
  /// The path, from its first `/` to the query.
  public var path: [UInt8]
  /// The query without its `?`; empty without one.
  public var query: [UInt8]
  /// The headers in their order, including `Host`.
  public var headers: [HeaderField]

  /// Creates a request from its parts.
  public init(method: String, path: [UInt8], query: [UInt8] = [], headers: [HeaderField]) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
  }

  /// Creates a request from a target such as `/path?query`, and headers as text.
  public init(
    _ method: String, _ target: some StringProtocol, headers: KeyValuePairs<String, String> = [:]
  ) {
    self.method = method
    (path, query) = Self.split(target: Array(target.utf8))
    self.headers = headers.map { HeaderField($0.key, $0.value) }
  }

  /// Creates a request from the URL that it is sent to. `Host` is that of the URL.
  ///
  ///     let head = try RequestHead("GET", url: "https://bucket.s3.eu-west-1.amazonaws.com/a%20b?versionId=7")
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - url: an `https` or `http` URL as it is sent: what needs it is percent-encoded.
  ///   - headers: further headers.
  /// - Throws: `messageMalformed` for a URL that is not in this form.
  public init(
    _ method: String, url: String, headers: KeyValuePairs<String, String> = [:]
  ) throws(SigV4Error) {
    let scheme = url.utf8.firstRange(of: "://".utf8)?.upperBound ?? url.startIndex
    let end = url.utf8[scheme...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
    let (server, target) = (url[..<(end ?? url.endIndex)], url[(end ?? url.endIndex)...])
    guard target.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) else {
      throw .messageMalformed("the URL has a fragment, or a character that is not percent-encoded")
    }
    let address: HTTPURL
    do { address = try HTTPURL(String(server)) } catch { throw .messageMalformed("\(error)") }
    self.init(method, target.hasPrefix("/") ? target : "/" + target, headers: headers)
    self.headers.insert(HeaderField("Host", address.authority), at: 0)
  }

  /// The path and the query of a target.
  static func split(target: [UInt8]) -> (path: [UInt8], query: [UInt8]) {
    guard let mark = target.firstIndex(of: UInt8(ascii: "?")) else { return (target, []) }
    return (Array(target[..<mark]), Array(target[(mark + 1)...]))
  }

  /// Path and query, as in the request line.
  public var target: [UInt8] { query.isEmpty ? path : path + [UInt8(ascii: "?")] + query }

  /// The values of the headers of this name, in their order. Names are case-insensitive.
  public func values(_ name: String) -> [[UInt8]] {
    headers.lazy.filter { $0.hasName(name) }.map(\.value)
  }

  /// The values of the headers of this name as one list, joined with commas (RFC 9110 section 5.3).
  func list(_ name: String) -> [UInt8] {
    Array(values(name).map { $0[...].trimmingBlanks }.joined(separator: [UInt8(ascii: ",")]))
  }

  /// The value of the first header of this name, as text.
  public subscript(name: String) -> String? {
    let fields = headers.span
    for index in fields.indices where HeaderField.isName(fields[index].name, name) {
      return String(decoding: fields[index].value, as: UTF8.self)
    }
    return nil
  }
}

/// One header: a name, and the bytes of its value.
public struct HeaderField: Sendable, Hashable {
  /// The name; case-insensitive.
  public var name: String
  /// The bytes of the value.
  public var value: [UInt8]

  /// Creates a header with a value of bytes.
  public init(_ name: String, _ value: [UInt8]) {
    self.name = name
    self.value = value
  }

  /// Creates a header with a value of text.
  public init(_ name: String, _ value: String) {
    self.init(name, Array(value.utf8))
  }

  /// Whether the name is `other`, ignoring the case of ASCII letters.
  func hasName(_ other: String) -> Bool { Self.isName(name, other) }

  /// Whether two names are the same, ignoring the case of ASCII letters.
  static func isName(_ name: String, _ other: String) -> Bool { name.isEqualIgnoringASCIICase(to: other) }
}

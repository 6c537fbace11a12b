internal import TokenSecurityBase

/// An HTTP/1.1 request as text, from a file or a capture: a request line, headers, an empty line, a body.
///
/// The parser is for inspection, and more lenient than a server may be: lines may end with a line feed alone,
/// the version may be missing, targets may have spaces, values may be folded.
public struct HTTPMessage: Sendable, Hashable {
  /// The request without its body.
  public var head: RequestHead
  /// The bytes after the empty line.
  public var body: [UInt8]

  /// Creates a message from its parts.
  public init(head: RequestHead, body: [UInt8] = []) {
    self.head = head
    self.body = body
  }

  /// Parses a message.
  ///
  /// - Parameters:
  ///   - bytes: the message.
  ///   - limits: the limits of the headers, checked line by line.
  /// - Throws: `messageMalformed`; `hostMismatch` when the target is a URL with another host than `Host`;
  ///   `tooManyHeaders` and `headersTooLarge`.
  public init(parsing bytes: [UInt8], limits: RequestLimits = RequestLimits()) throws(SigV4Error) {
    var lines = LineCursor(bytes)
    guard let first = lines.next(), !first.isEmpty else {
      throw .messageMalformed("there is no request line")
    }
    var (method, target) = try Self.requestLine(first)
    var headers: [HeaderField] = []
    var size = 0
    while let line = lines.next(), !line.isEmpty {
      size += line.count
      guard size <= limits.headerBytes else { throw .headersTooLarge(limit: limits.headerBytes) }
      if line.first == 0x20 || line.first == 0x09 {
        // Obsolete line folding (RFC 9112 section 5.2) is one space.
        guard let last = headers.indices.last else { throw .messageMalformed("the first header is folded") }
        headers[last].value += [0x20] + line.trimmingBlanks
        continue
      }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
        throw .messageMalformed("a header has no colon")
      }
      guard headers.count < limits.headerCount else {
        throw .tooManyHeaders(count: headers.count + 1, limit: limits.headerCount)
      }
      headers.append(
        HeaderField(
          String(decoding: line[..<colon], as: UTF8.self),
          Array(line[(colon + 1)...].trimmingBlanks)))
    }
    body = lines.rest
    var authority: String?
    if let scheme = Self.scheme(target) {
      let rest = target.dropFirst(scheme)
      let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
      authority = String(decoding: rest[..<end], as: UTF8.self)
      target = rest[end...]
      if target.first != UInt8(ascii: "/") { target = [UInt8(ascii: "/")] + target }
    }
    method = method.isEmpty ? "GET" : method
    let (path, query) = RequestHead.split(target: Array(target))
    head = RequestHead(method: method, path: path, query: query, headers: headers)
    if let authority {
      if let host = head["host"] {
        guard host.lowercasedASCII == authority.lowercasedASCII else {
          throw .hostMismatch(host: host, authority: authority)
        }
      } else {
        head.headers.insert(HeaderField("Host", authority), at: 0)
      }
    }
  }

  private static func requestLine(
    _ line: ArraySlice<UInt8>
  ) throws(SigV4Error) -> (method: String, target: ArraySlice<UInt8>) {
    guard let space = line.firstIndex(of: 0x20) else {
      throw .messageMalformed("the request line has no target")
    }
    var target = line[(space + 1)...]
    // Targets may have spaces: the version follows the last one.
    if let last = target.lastIndex(of: 0x20), target[(last + 1)...].starts(with: Array("HTTP/".utf8)) {
      target = target[..<last]
    }
    guard !target.isEmpty else { throw .messageMalformed("the request line has no target") }
    return (String(decoding: line[..<space], as: UTF8.self), target)
  }

  /// The length of `http://` or `https://` at the beginning of a target, or nil.
  private static func scheme(_ target: ArraySlice<UInt8>) -> Int? {
    for scheme in ["http://", "https://"]
    where target.prefix(scheme.utf8.count).map(\.lowercasedASCII) == Array(scheme.utf8) {
      return scheme.utf8.count
    }
    return nil
  }

  /// The message as it is sent, with CR LF.
  public var bytes: [UInt8] {
    var output: [UInt8] = []
    output.append(head.method)
    output.append(0x20)
    output.append(contentsOf: head.target)
    output.append(" HTTP/1.1\r\n" as StaticString)
    for field in head.headers {
      output.append(field.name)
      output.append(": " as StaticString)
      output.append(contentsOf: field.value)
      output.append("\r\n" as StaticString)
    }
    output.append("\r\n" as StaticString)
    return output + body
  }
}

/// The lines of a text without their line ends.
struct LineCursor {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next line; nil after the last.
  mutating func next() -> ArraySlice<UInt8>? {
    guard position < bytes.count else { return nil }
    let end = ByteSearch.firstIndex(of: UInt8(ascii: "\n"), in: bytes.span, from: position) ?? bytes.count
    defer { position = min(end + 1, bytes.count) }
    return bytes[position..<(end > position && bytes[end - 1] == UInt8(ascii: "\r") ? end - 1 : end)]
  }

  /// The unread bytes.
  var rest: [UInt8] { Array(bytes[position...]) }
}

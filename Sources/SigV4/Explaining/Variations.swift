internal import TokenSecurityEncodings

/// Common mistakes of signers and proxies.
enum Variations {
  static func all(_ message: HTTPMessage, _ request: UnverifiedRequest) -> [Variation] {
    paths(message.head) + queries(request) + hosts(message.head) + bodies(message.body) + headers(request)
  }

  private static func paths(_ head: RequestHead) -> [Variation] {
    func path(_ code: String, _ sentence: String, _ form: CanonicalForm, _ bytes: [UInt8]) -> Variation {
      let text = String(decoding: CanonicalPath.make(bytes, form: form), as: UTF8.self)
      return Variation(code, sentence) { $0.path = text }
    }
    let raw = head.path
    let decoded = PercentEncoding.decode(raw.span)
    let other = CanonicalForm(pathEncoding: .twice, removesDotSegments: false)
    let onceClean = CanonicalForm(pathEncoding: .once, removesDotSegments: true)
    var encoded: [UInt8] = []
    PercentEncoding.append(raw.span, keepingSlashes: true, to: &encoded)
    let sent = String(decoding: raw, as: UTF8.self)
    return [
      path("path_encoded_twice", "the signature matches if the path is encoded twice", .standard, raw),
      path(
        "path_not_cleaned", "the signature matches if dot segments and double slashes are kept in the path",
        other, raw),
      path(
        "path_encoded_once", "the signature matches if the path is encoded once, as only S3 requires", .s3,
        raw),
      path(
        "path_cleaned", "the signature matches if dot segments and double slashes are removed from the path",
        onceClean,
        raw),
      path(
        "path_decoded_by_proxy", "the signature matches if the path is still encoded: a proxy decoded it",
        .standard, encoded),
      path(
        "path_decoded_first", "the signature matches if the path is decoded before it is encoded", .s3,
        decoded),
      Variation("path_as_it_stands", "the signature matches if the path is signed as it was sent") {
        $0.path = sent
      },
      Variation(
        "path_upper_case_hex", "the signature matches if the path's percent-encoding has upper-case digits"
      ) {
        $0.path = $0.path.uppercasedTriples
      },
      Variation(
        "path_without_slash_at_end",
        "the signature matches without the slash at the path's end: a proxy added it"
      ) {
        if $0.path.count > 1, $0.path.hasSuffix("/") { $0.path.removeLast() }
      },
      Variation(
        "path_with_slash_at_end", "the signature matches with a slash at the path's end: a proxy removed it"
      ) {
        if !$0.path.hasSuffix("/") { $0.path += "/" }
      },
    ]
  }

  private static func queries(_ request: UnverifiedRequest) -> [Variation] {
    let isQuery = request.parameters.placement == .query
    let pairs = request.head.query.split(separator: UInt8(ascii: "&")).map {
      String(decoding: $0, as: UTF8.self)
    }
    .filter { !isQuery || !$0.hasPrefix("X-Amz-Signature=") }
    let withEquals = pairs.map { $0.utf8.contains(UInt8(ascii: "=")) ? $0 : $0 + "=" }
    let plus = String(decoding: request.head.query, as: UTF8.self).replacing("+", with: "%20")
    let spaces = CanonicalQuery(Array(plus.utf8), excluding: isQuery ? ["X-Amz-Signature"] : [])
    let withSpaces = String(decoding: spaces.line(), as: UTF8.self)
    return [
      Variation("query_unsorted", "the signature matches if the query's parameters are not sorted") {
        $0.query = withEquals.joined(separator: "&")
      },
      Variation(
        "query_as_it_stands",
        "the signature matches if the query is sorted and otherwise signed as it was sent"
      ) {
        $0.query = withEquals.sorted().joined(separator: "&")
      },
      Variation("query_plus_as_space", "the signature matches if + in the query is a space: send %20 or %2B")
      {
        $0.query = withSpaces
      },
      Variation(
        "query_missing_equals", "the signature matches if a parameter without a value is signed without its ="
      ) {
        lines in
        lines.query = lines.query.parameters.map { $0.hasSuffix("=") ? String($0.dropLast()) : $0 }
          .joined(separator: "&")
      },
      Variation("query_left_out", "the signature matches without the query") { lines in
        if !isQuery { lines.query = "" }
      },
      Variation("session_token_unsigned", "the signature matches if the session token is added after signing")
      { lines in
        lines.query = lines.query.parameters.filter { !$0.hasPrefix("X-Amz-Security-Token=") }
          .joined(separator: "&")
      },
    ]
  }

  private static func hosts(_ head: RequestHead) -> [Variation] {
    let forwarded = head["x-forwarded-host"] ?? head["x-original-host"]
    return [
      Variation(
        "host_forwarded", "the signature matches for the host in X-Forwarded-Host: a proxy changed Host"
      ) {
        lines in
        if let forwarded { lines.set("host", forwarded) }
      },
      Variation("host_port_added", "the signature matches if Host has no port: a proxy added it") { lines in
        guard let host = lines.value("host"), let colon = host.lastIndex(of: ":") else { return }
        lines.set("host", String(host[..<colon]))
      },
      Variation("host_port_443", "the signature matches if Host has the port :443: a proxy removed it") {
        lines in
        if let host = lines.value("host"), !host.utf8.contains(UInt8(ascii: ":")) {
          lines.set("host", host + ":443")
        }
      },
      Variation("host_port_80", "the signature matches if Host has the port :80: a proxy removed it") {
        lines in
        if let host = lines.value("host"), !host.utf8.contains(UInt8(ascii: ":")) {
          lines.set("host", host + ":80")
        }
      },
      Variation("host_upper_case", "the signature matches if Host is in lower case: a proxy changed its case")
      {
        lines in
        if let host = lines.value("host") { lines.set("host", host.lowercasedASCII) }
      },
    ]
  }

  private static func bodies(_ body: [UInt8]) -> [Variation] {
    func hash(_ bytes: [UInt8]) -> String { (try? SigV4Error.hash(bytes.span)).map { Hex.string($0) } ?? "" }
    var trimmed = body
    if trimmed.last == 0x0A { trimmed.removeLast() }
    if trimmed.last == 0x0D { trimmed.removeLast() }
    let own = hash(body)
    let withoutEnd = hash(trimmed)
    let withEnd = hash(body + [0x0A])
    return [
      Variation("body_unsigned", "the signature matches with UNSIGNED-PAYLOAD instead of the body's hash") {
        $0.payload = PayloadMode.unsigned.name
      },
      Variation(
        "body_empty",
        "the signature matches with the hash of an empty body: it was made before the body was added"
      ) {
        $0.payload = StringToSign.emptyHash
      },
      Variation(
        "body_hash_header", "the signature matches with the body's own hash instead of X-Amz-Content-Sha256"
      ) {
        $0.payload = own
      },
      Variation("body_line_end_added", "the signature matches without the line break at the body's end") {
        $0.payload = withoutEnd
      },
      Variation("body_line_end_removed", "the signature matches with a line break at the body's end") {
        $0.payload = withEnd
      },
      Variation("body_hash_capitals", "the signature matches with the body's hash in upper case") {
        $0.payload = $0.payload.uppercasedASCII
      },
    ]
  }

  private static func headers(_ request: UnverifiedRequest) -> [Variation] {
    let head = request.head
    return [
      Variation("header_not_folded", "the signature matches if runs of white space are kept in header values")
      { lines in
        for (index, line) in lines.headers.enumerated() {
          let name = CanonicalLines.name(line)
          let values = head.values(name).map { String(decoding: $0, as: UTF8.self) }
          lines.headers[index] = "\(name):\(values.joined(separator: ","))"
        }
      },
      Variation(
        "header_values_separated",
        "the signature matches if several values of a header are joined with a comma and a space"
      ) {
        lines in
        for (index, line) in lines.headers.enumerated() {
          let name = CanonicalLines.name(line)
          let values = head.values(name).map {
            String(decoding: $0[...].trimmingBlanks, as: UTF8.self)
          }
          if values.count > 1 { lines.headers[index] = "\(name):\(values.joined(separator: ", "))" }
        }
      },
      Variation(
        "content_type_changed",
        "the signature matches if Content-Type has no parameters: a proxy added a charset"
      ) { lines in
        if let type = lines.value("content-type"), let end = type.firstIndex(of: ";") {
          lines.set("content-type", String(type[..<end]))
        }
      },
      Variation("content_length_zero", "the signature matches with a Content-Length of 0") { lines in
        lines.set("content-length", "0")
      },
      Variation("empty_line_missing", "the signature matches without the empty line after the headers") {
        $0.gap = []
      },
      Variation("method_head", "the signature matches for the method HEAD: a proxy changed it to GET") {
        lines in
        if lines.method == "GET" { lines.method = "HEAD" }
      },
      Variation("method_get", "the signature matches for the method GET: a proxy changed it to HEAD") {
        lines in
        if lines.method == "HEAD" { lines.method = "GET" }
      },
      Variation("method_lower_case", "the signature matches if the method is in upper case") {
        $0.method = $0.method.uppercasedASCII
      },
    ]
  }
}

extension String {
  /// The encoded parameters of a query.
  fileprivate var parameters: [String] {
    utf8.split(separator: UInt8(ascii: "&")).map { String(Substring($0)) }
  }

  /// The text with upper-case digits in percent-encoding.
  fileprivate var uppercasedTriples: String {
    var output: [UInt8] = []
    let bytes = Array(utf8)
    var index = 0
    while index < bytes.count {
      if let byte = PercentEncoding.byte(bytes.span, at: index) {
        PercentEncoding.append(triple: byte, to: &output)
        index += 3
      } else {
        output.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}

internal import TokenSecurityEncodings

/// The mistakes that are usual.
enum Variations {
  static func all(_ message: HTTPMessage, _ request: UnverifiedRequest) -> [Variation] {
    paths(message.head) + queries(request) + hosts(message.head) + bodies(message.body) + headers(request)
  }

  private static func paths(_ head: RequestHead) -> [Variation] {
    func path(_ code: String, _ sentence: String, _ form: CanonicalForm, _ bytes: [UInt8]) -> Variation {
      var output: [UInt8] = []
      CanonicalPath.append(bytes.span, form: form, to: &output)
      let text = String(decoding: output, as: UTF8.self)
      return Variation(code, sentence) { $0.path = text }
    }
    let raw = head.path
    let decoded = PercentEncoding.decode(raw.span)
    let other = CanonicalForm(pathEncoding: .twice, removesDotSegments: false)
    let onceClean = CanonicalForm(pathEncoding: .once, removesDotSegments: true)
    var encoded: [UInt8] = []
    PercentEncoding.append(raw.span, keepingSlashes: true, to: &encoded)
    let standing = String(decoding: raw, as: UTF8.self)
    return [
      path("path_encoded_twice", "it matches if the path is encoded twice", .standard, raw),
      path("path_not_cleaned", "it matches if dot segments and double slashes stay in the path", other, raw),
      path("path_encoded_once", "it matches if the path is encoded once, as S3 alone wants it", .s3, raw),
      path(
        "path_cleaned", "it matches if dot segments and double slashes are removed from the path", onceClean,
        raw),
      path(
        "path_decoded_by_proxy", "it matches if the path is still encoded: something has decoded it",
        .standard, encoded),
      path("path_decoded_first", "it matches if the path is decoded before it is encoded", .s3, decoded),
      Variation("path_as_it_stands", "it matches if the path is signed as it stands") { $0.path = standing },
      Variation("path_upper_case_hex", "it matches if the path's percent-encoding has capitals") {
        $0.path = $0.path.uppercasedTriples
      },
      Variation(
        "path_without_slash_at_end", "it matches without the slash at the path's end: something added it"
      ) {
        if $0.path.count > 1, $0.path.hasSuffix("/") { $0.path.removeLast() }
      },
      Variation("path_with_slash_at_end", "it matches with a slash at the path's end: something took it away")
      {
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
    let spaces = CanonicalQuery(Array(plus.utf8), leavingOut: isQuery ? ["X-Amz-Signature"] : [])
    var spaced: [UInt8] = []
    spaces.append(to: &spaced)
    let withSpaces = String(decoding: spaced, as: UTF8.self)
    return [
      Variation("query_unsorted", "it matches if the query's parameters are not sorted") {
        $0.query = withEquals.joined(separator: "&")
      },
      Variation("query_as_it_stands", "it matches if the query is sorted and otherwise signed as it stands") {
        $0.query = withEquals.sorted().joined(separator: "&")
      },
      Variation("query_plus_as_space", "it matches if + in the query is taken for a space: send %20 or %2B") {
        $0.query = withSpaces
      },
      Variation("query_missing_equals", "it matches if a parameter without a value is signed without its =") {
        lines in
        lines.query = lines.query.parameters.map { $0.hasSuffix("=") ? String($0.dropLast()) : $0 }
          .joined(separator: "&")
      },
      Variation("query_left_out", "it matches if the query is left out") { lines in
        if !isQuery { lines.query = "" }
      },
      Variation("session_token_unsigned", "it matches if the session token is added after signing") { lines in
        lines.query = lines.query.parameters.filter { !$0.hasPrefix("X-Amz-Security-Token=") }
          .joined(separator: "&")
      },
    ]
  }

  private static func hosts(_ head: RequestHead) -> [Variation] {
    let forwarded = head["x-forwarded-host"] ?? head["x-original-host"]
    return [
      Variation("host_forwarded", "it matches for the host in X-Forwarded-Host: a proxy has changed Host") {
        lines in
        if let forwarded { lines.set("host", forwarded) }
      },
      Variation("host_port_added", "it matches if Host has no port: something added it") { lines in
        guard let host = lines.value("host"), let colon = host.lastIndex(of: ":") else { return }
        lines.set("host", String(host[..<colon]))
      },
      Variation("host_port_443", "it matches if Host has the port :443: something removed it") { lines in
        if let host = lines.value("host"), !host.utf8.contains(UInt8(ascii: ":")) {
          lines.set("host", host + ":443")
        }
      },
      Variation("host_port_80", "it matches if Host has the port :80: something removed it") { lines in
        if let host = lines.value("host"), !host.utf8.contains(UInt8(ascii: ":")) {
          lines.set("host", host + ":80")
        }
      },
      Variation("host_upper_case", "it matches if Host is in lower case: something changed its case") {
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
      Variation("body_unsigned", "it matches with UNSIGNED-PAYLOAD instead of the body's hash") {
        $0.payload = PayloadMode.unsigned.name
      },
      Variation("body_empty", "it matches with the hash of an empty body: it was signed before it had one") {
        $0.payload = StringToSign.emptyHash
      },
      Variation(
        "body_hash_header", "it matches with the body's own hash: X-Amz-Content-Sha256 is not what was signed"
      ) {
        $0.payload = own
      },
      Variation("body_line_end_added", "it matches without the line break at the body's end") {
        $0.payload = withoutEnd
      },
      Variation("body_line_end_removed", "it matches with a line break at the body's end") {
        $0.payload = withEnd
      },
      Variation("body_hash_capitals", "it matches with the body's hash in capitals") {
        $0.payload = $0.payload.uppercasedASCII
      },
    ]
  }

  private static func headers(_ request: UnverifiedRequest) -> [Variation] {
    let head = request.head
    return [
      Variation("header_not_folded", "it matches if runs of white space stay in header values") { lines in
        for (index, line) in lines.headers.enumerated() {
          let name = CanonicalLines.name(line)
          let values = head.values(name).map { String(decoding: $0, as: UTF8.self) }
          lines.headers[index] = "\(name):\(values.joined(separator: ","))"
        }
      },
      Variation(
        "header_values_separated",
        "it matches if several values of a header are joined with a comma and a space"
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
        "content_type_changed", "it matches if Content-Type has no parameters: something added a charset"
      ) { lines in
        if let type = lines.value("content-type"), let end = type.firstIndex(of: ";") {
          lines.set("content-type", String(type[..<end]))
        }
      },
      Variation("content_length_zero", "it matches with a Content-Length of 0") { lines in
        lines.set("content-length", "0")
      },
      Variation("empty_line_missing", "it matches without the empty line behind the headers") { $0.gap = [] },
      Variation("method_head", "it matches for the method HEAD: something turned it into GET") { lines in
        if lines.method == "GET" { lines.method = "HEAD" }
      },
      Variation("method_get", "it matches for the method GET: something turned it into HEAD") { lines in
        if lines.method == "HEAD" { lines.method = "GET" }
      },
      Variation("method_lower_case", "it matches if the method is in capitals") {
        $0.method = $0.method.uppercasedASCII
      },
    ]
  }
}

extension String {
  /// The parameters of a query.
  fileprivate var parameters: [String] {
    utf8.split(separator: UInt8(ascii: "&")).map { String(Substring($0)) }
  }

  /// The same with capitals in each `%xx`.
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

internal import TokenSecurityBase

/// Common mistakes of signers and proxies.
enum Variations {
  static func all(_ message: HTTPMessage, _ request: UnverifiedRequest) -> [Variation] {
    paths(message.head) + queries(request) + hosts(message.head) + bodies(message.body) + headers(request)
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

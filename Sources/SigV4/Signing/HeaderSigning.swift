internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// Signatures in headers.
extension Signer {
  func sign(
    _ request: RequestHead, _ body: Payload, _ identity: Identity, _ date: Timestamp
  ) throws(SigV4Error) -> SignedRequest {
    var names = try request.check(limits)
    try Self.checkHost(request)
    try rejectSignatureParameters(request)
    let dateBytes = date.amzBytes
    var head = RequestHead(method: request.method, path: request.path, query: request.query, headers: [])
    head.headers.reserveCapacity(request.headers.count + 6)
    for field in request.headers where !Self.isReplaced(field) { head.headers.append(field) }
    if let token = identity.sessionToken { head.headers.append(HeaderField("X-Amz-Security-Token", token)) }
    head.headers.append(HeaderField("X-Amz-Date", dateBytes))
    if algorithm == .ecdsaP256SHA256 { head.headers.append(HeaderField("X-Amz-Region-Set", regionSet)) }
    let line = try body.line(algorithm)
    if declaresPayloadHash || body.mustBeDeclared {
      head.headers.append(HeaderField("x-amz-content-sha256", line.bytes))
    }
    if case .chunks(let layout) = body { addHeaders(of: layout, to: &head) }
    // The names of the added headers have at most 28 bytes.
    names += 28 * 10

    let canonical = CanonicalRequest(
      head, HeaderTable(head.headers, namesSize: names), .usual(sessionToken),
      query: CanonicalQuery(head.query), payload: line,
      form: form)
    let scope = scope(identity, date)
    let hash = try canonical.digest()
    let text = StringToSign.make(
      algorithm, date: dateBytes, scope: identity.key.scopeBytes(scope), requestHash: hash)
    let signature = try identity.key.sign(text.span)
    head.headers.append(
      HeaderField(
        "Authorization",
        authorization(identity.key.credentialBytes(identity.accessKeyID, scope), canonical, signature)))
    return SignedRequest(
      head: head, canonicalRequest: canonical, stringToSign: text, signature: signature, date: date,
      scope: scope,
      key: identity.key, payload: body)
  }

  private func authorization(
    _ credential: [UInt8], _ canonical: CanonicalRequest, _ signature: [UInt8]
  ) -> [UInt8] {
    var value: [UInt8] = []
    value.reserveCapacity(320)
    value.append(algorithm.name)
    value.append(" Credential=" as StaticString)
    value.append(copying: credential.span)
    value.append(", SignedHeaders=" as StaticString)
    value.append(copying: canonical.bytes.span.extracting(canonical.signedHeadersRange))
    value.append(", Signature=" as StaticString)
    value.append(hex: signature.span)
    return value
  }

  /// Whether signing replaces the header, which an earlier signature may have left.
  private static func isReplaced(_ field: HeaderField) -> Bool {
    switch field.name.utf8.count {
    case 10: field.hasName("X-Amz-Date")
    case 13: field.hasName("Authorization")
    case 16: field.hasName("X-Amz-Region-Set")
    case 20: field.hasName("X-Amz-Security-Token") || field.hasName("X-Amz-Content-Sha256")
    default: false
    }
  }

  private func addHeaders(of layout: ChunkLayout, to head: inout RequestHead) {
    func add(_ name: String, _ value: String) {
      head.headers.removeAll { $0.hasName(name) }
      head.headers.append(HeaderField(name, value))
    }
    if let encoding = Self.chunkedEncoding(head.values("Content-Encoding")) {
      add("Content-Encoding", encoding)
    }
    add("x-amz-decoded-content-length", String(layout.decodedLength))
    if let checksum = layout.checksum { add("x-amz-trailer", checksum.headerName) }
    if layout.declaresContentLength { add("Content-Length", String(layout.encodedLength(algorithm))) }
  }

  /// `aws-chunked` before the request's codings; nil when it is one of them (RFC 9110 section 8.4: a list
  /// with commas, whose names are case-insensitive).
  private static func chunkedEncoding(_ values: [[UInt8]]) -> String? {
    let codings = values.flatMap { $0.split(separator: UInt8(ascii: ",")) }
      .map { String(decoding: $0.trimmingBlanks, as: UTF8.self) }.filter { !$0.isEmpty }
    guard !codings.contains(where: { $0.lowercasedASCII == "aws-chunked" }) else { return nil }
    return codings.isEmpty ? "aws-chunked" : "aws-chunked," + codings.joined(separator: ",")
  }

  static func checkHost(_ head: RequestHead) throws(SigV4Error) {
    let hosts = head.headers.lazy.filter { $0.hasName("host") }.count
    guard hosts > 0 else { throw .hostMissing }
    guard hosts == 1 else { throw .headerRepeated("host") }
  }
}

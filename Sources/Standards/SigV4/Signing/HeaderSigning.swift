internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Signatures in headers.
extension Signer {
  func sign(
    _ request: RequestHead, _ body: Payload, _ identity: Identity, _ date: Timestamp
  ) throws(SigV4Error) -> SignedRequest {
    try Self.checkHost(count: request.check(limits))
    try rejectSignatureParameters(request)
    let dateBytes = date.amzBytes
    var headers: [HeaderField] = []
    let fields = request.headers.span
    headers.reserveCapacity(fields.count + 6)
    // A request that declares its body's hash goes on to do so, with the hash of this body.
    var declares = declaresPayloadHash || body.mustBeDeclared
    for index in fields.indices {
      let name = fields[index].name
      guard Self.isReplaced(name) else {
        headers.append(fields[index])
        continue
      }
      declares = declares || HeaderField.isName(name, "X-Amz-Content-Sha256")
    }
    if let token = identity.sessionToken { headers.append(HeaderField("X-Amz-Security-Token", token)) }
    headers.append(HeaderField("X-Amz-Date", dateBytes))
    if algorithm == .ecdsaP256SHA256 { headers.append(HeaderField("X-Amz-Region-Set", regionSet)) }
    let line = try body.line(algorithm)
    if declares {
      headers.append(HeaderField("x-amz-content-sha256", line.bytes))
    }
    if case .chunks(let layout) = body { addHeaders(of: layout, to: &headers) }
    let canonical = CanonicalRequest(
      request, headers: headers, HeaderTable(headers), .usual(sessionToken),
      query: CanonicalQuery(request.query), payload: line, form: form)
    let scope = scope(identity, date)
    let hash = try canonical.digest()
    let text = StringToSign.make(
      algorithm, date: dateBytes, scope: identity.key.scopeBytes(scope), requestHash: hash)
    let signature = try identity.key.sign(text.span)
    headers.append(
      HeaderField(
        "Authorization",
        Self.authorization(
          algorithm, identity.key.credentialBytes(identity.accessKeyID, scope), canonical, signature)))
    return SignedRequest(
      head: RequestHead(
        method: request.method, path: request.path, query: request.query, headers: headers),
      canonicalRequest: canonical, stringToSign: text, signature: signature, date: date,
      scope: scope,
      key: identity.key, payload: body)
  }

  private static func authorization(
    _ algorithm: SigningAlgorithm, _ credential: [UInt8], _ canonical: CanonicalRequest, _ signature: [UInt8]
  ) -> [UInt8] {
    let names = canonical.bytes.span.extracting(canonical.signedHeadersRange)
    let size = algorithm.name.utf8.count + credential.count + names.count + 2 * signature.count
    var value: [UInt8] = []
    // The three constant texts have 40 bytes.
    value.append(addingCapacity: size + 40) { output in
      output.append(algorithm.name)
      output.append(" Credential=" as StaticString)
      output.append(copying: credential.span)
      output.append(", SignedHeaders=" as StaticString)
      output.append(copying: names)
      output.append(", Signature=" as StaticString)
      output.append(hex: signature.span)
    }
    return value
  }

  /// Whether signing replaces the header, which an earlier signature may have left.
  private static func isReplaced(_ name: String) -> Bool {
    switch name.utf8.count {
    case 10: HeaderField.isName(name, "X-Amz-Date")
    case 13: HeaderField.isName(name, "Authorization")
    case 16: HeaderField.isName(name, "X-Amz-Region-Set")
    case 20:
      HeaderField.isName(name, "X-Amz-Security-Token") || HeaderField.isName(name, "X-Amz-Content-Sha256")
    default: false
    }
  }

  private func addHeaders(of layout: ChunkLayout, to headers: inout [HeaderField]) {
    func add(_ name: String, _ value: String) {
      headers.removeAll { $0.hasName(name) }
      headers.append(HeaderField(name, value))
    }
    let codings = headers.filter { $0.hasName("Content-Encoding") }.map(\.value)
    if let encoding = Self.chunkedEncoding(codings) {
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

  static func checkHost(count: Int) throws(SigV4Error) {
    guard count > 0 else { throw .hostMissing }
    guard count == 1 else { throw .headerRepeated("host") }
  }
}

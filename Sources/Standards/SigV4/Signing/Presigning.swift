internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Signatures in the query.
extension Signer {
  func presign(
    _ request: RequestHead, _ lifetime: Duration, _ body: Payload, _ identity: Identity, _ date: Timestamp
  ) throws(SigV4Error) -> SignedRequest {
    do { _ = try LifetimeRule.presignedURL.validate(requested: lifetime) } catch { throw .lifetime(error) }
    try Self.checkHost(count: request.check(limits))
    let table = HeaderTable(request.headers)
    let single = try SingleHeaders(table)
    let line = try payloadLine(single.value(.contentHash, request), body)
    let scope = scope(identity, date)
    var query = request.query
    func add(_ name: StaticString, _ value: borrowing Span<UInt8>) {
      if !query.isEmpty { query.append(UInt8(ascii: "&")) }
      query.append(name)
      query.append(UInt8(ascii: "="))
      PercentEncoding.append(value, keepingSlashes: false, to: &query)
    }
    try rejectSignatureParameters(request)
    guard single.index(.authorization) == nil else { throw .signatureTwice }
    try single.checkNoneRepeatsQuery()
    let credential = identity.key.credentialBytes(identity.accessKeyID, scope)
    let dateBytes = date.amzBytes
    let signedHeaders = CanonicalRequest.signedHeaders(table)
    let expires = Array(String(lifetime.wholeSeconds).utf8)
    add("X-Amz-Algorithm", algorithm.name.utf8.span)
    add("X-Amz-Credential", credential.span)
    add("X-Amz-Date", dateBytes.span)
    add("X-Amz-SignedHeaders", signedHeaders.span)
    add("X-Amz-Expires", expires.span)
    if let token = identity.sessionToken { add("X-Amz-Security-Token", token.utf8.span) }
    if algorithm == .ecdsaP256SHA256 {
      let set = regionSet
      add("X-Amz-Region-Set", set.utf8.span)
    }
    let unsigned = query
    let excluded: [StaticString] = sessionToken == .addedAfterSigning ? ["X-Amz-Security-Token"] : []
    let canonical = CanonicalRequest(
      request, headers: request.headers, table, .usual(.signed),
      query: CanonicalQuery(unsigned, excluding: excluded), payload: line,
      form: form)
    let hash = try canonical.digest()
    let text = StringToSign.make(
      algorithm, date: dateBytes, scope: identity.key.scopeBytes(scope), requestHash: hash)
    let signature = try identity.key.sign(text.span)
    var digits: [UInt8] = []
    digits.append(hex: signature.span)
    add("X-Amz-Signature", digits.span)
    var head = request
    head.query = query
    return SignedRequest(
      head: head, canonicalRequest: canonical, stringToSign: text, signature: signature, date: date,
      scope: scope,
      key: identity.key, payload: body)
  }

  /// How the signature covers the body. A header field that says it is signed, and verifiers go by it.
  private func payloadLine(_ field: [UInt8]?, _ body: Payload) throws(SigV4Error) -> PayloadLine {
    let declared: Payload? =
      switch try UnverifiedRequest.DeclaredPayload.reading(field) {
      case nil: nil
      case .sha256(let hash): .sha256(hash)
      case .mode(.unsigned): .unsigned
      case .mode: throw .payloadNotPresignable
      }
    switch body {
    case .chunks, .events: throw .payloadNotPresignable
    case .none:
      let usual: Payload = form == .s3 ? .unsigned : .none
      return try (declared ?? usual).line(algorithm)
    case .bytes, .sha256, .unsigned:
      let line = try body.line(algorithm)
      guard let declared else { return line }
      guard try declared.line(algorithm).bytes == line.bytes else { throw .payloadHashMismatch }
      return line
    }
  }

  /// Rejects a query with parameters of another signature, which would be ambiguous.
  func rejectSignatureParameters(_ head: RequestHead) throws(SigV4Error) {
    guard !head.query.isEmpty else { return }
    var parameters = QueryParameters(head.query)
    while let parameter = parameters.next() {
      guard PresignedQuery.names.contains(where: { PresignedQuery.isEqual(parameter.name, $0) }) else {
        continue
      }
      throw .parameterUnexpected(String(decoding: parameter.name, as: UTF8.self))
    }
  }
}

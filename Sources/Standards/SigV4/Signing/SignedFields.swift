extension Signer {
  /// Signs a request whose parts are texts, as clients of declared operations have them.
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - target: path and query.
  ///   - host: the value of `Host`.
  ///   - fields: the other header fields.
  ///   - body: the body.
  ///   - credentials: the credentials to sign with.
  ///   - date: the date of the signature.
  /// - Returns: all header fields, with those of the signature.
  /// - Throws: as `sign(_:body:with:at:)`.
  package func signedFields(
    _ method: String, _ target: String, host: String, _ fields: [(name: String, value: String)],
    _ body: [UInt8], with credentials: Credentials, at date: Timestamp
  ) throws(SigV4Error) -> [(name: String, value: String)] {
    var head = RequestHead(method, target)
    head.headers = [HeaderField("Host", host)] + fields.map { HeaderField($0.name, $0.value) }
    return try sign(head, body: .bytes(body), with: credentials, at: date).head.headers
      .map { (name: $0.name, value: String(decoding: $0.value, as: UTF8.self)) }
  }
}

internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Both steps of a verification in one call, where the key is at hand.
extension RequestVerifier {
  /// The first step, for a whole request.
  ///
  /// - Parameters:
  ///   - message: the request with its body.
  ///   - now: the current time.
  /// - Returns: the request, ready to look up a key.
  /// - Throws: what `parse(_:at:)` throws; `messageMalformed` for a `Content-Length` that is not the body's.
  public func parse(_ message: HTTPMessage, at now: Timestamp = .now) throws(SigV4Error) -> PendingRequest {
    let pending = try parse(message.head, at: now)
    try message.checkLength()
    return pending
  }

  /// Both steps, for a whole request. Execute what was verified: the message's head and body, not bytes that it was read
  /// from, which another program may divide otherwise.
  ///
  ///     let message = HTTPMessage(head: head, body: body)
  ///     let request = try verifier.verify(message) { id in id == credentials.accessKeyID ? credentials : nil }
  ///
  /// - Parameters:
  ///   - message: the request with its body.
  ///   - now: the current time.
  ///   - credentials: finds the credentials of an access key ID; nil for an unknown one.
  /// - Returns: the verified request.
  /// - Throws: what `parse(_:at:)` and `verify(_:key:body:)` throw; `messageMalformed` for a `Content-Length` that is not the
  ///   body's.
  public func verify(
    _ message: HTTPMessage, at now: Timestamp = .now, credentials: (String) -> Credentials?
  ) throws(SigV4Error) -> VerifiedRequest<HashBinding> {
    let pending = try parse(message, at: now)
    let found = credentials(pending.parameters.accessKeyID)
    return try verify(pending, key: found.map { .credentials($0) }, body: message.body)
  }

  /// Both steps, for a whole request, with the secrets of long-lived access keys.
  ///
  /// - Parameters:
  ///   - message: the request with its body.
  ///   - now: the current time.
  ///   - secretAccessKey: finds the secret of an access key ID; nil for an unknown one.
  /// - Returns: the verified request.
  /// - Throws: what `parse(_:at:)` and `verify(_:key:body:)` throw; `secretEmpty`; `messageMalformed` for a
  ///   `Content-Length` that is not the body's.
  public func verify(
    _ message: HTTPMessage, at now: Timestamp = .now, secretAccessKey: (String) -> String?
  ) throws(SigV4Error) -> VerifiedRequest<HashBinding> {
    let pending = try parse(message, at: now)
    let id = pending.parameters.accessKeyID
    let key: VerificationKey? =
      if let secret = secretAccessKey(id) {
        .credentials(try Credentials(accessKeyID: id, secretAccessKey: SecretBytes(secret)))
      } else {
        nil
      }
    return try verify(pending, key: key, body: message.body)
  }
}

extension HTTPMessage {
  /// Checks that the head does not announce another body (RFC 9112 section 6.3). Signatures seldom cover these fields, so
  /// that anyone between client and service can change them. `parse(_:at:)` has refused a second `Content-Length`.
  ///
  /// - Throws: `messageMalformed`.
  fileprivate func checkLength() throws(SigV4Error) {
    guard let length = head["Content-Length"] else { return }
    guard head["Transfer-Encoding"] == nil else {
      throw .messageMalformed("it has Content-Length and Transfer-Encoding")
    }
    guard length.utf8.allSatisfy({ (0x30...0x39).contains($0) }), Int(length) == body.count else {
      throw .messageMalformed("Content-Length is \(length.quoted), and the body has \(body.count) bytes")
    }
  }
}

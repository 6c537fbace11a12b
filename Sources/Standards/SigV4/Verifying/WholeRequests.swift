internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Both steps of a verification in one call, where the key is at hand.
extension RequestVerifier {
  /// Both steps, for a whole request.
  ///
  ///     let message = HTTPMessage(head: head, body: body)
  ///     let request = try verifier.verify(message) { id in id == credentials.accessKeyID ? credentials : nil }
  ///
  /// - Parameters:
  ///   - message: the request with its body.
  ///   - now: the current time.
  ///   - credentials: finds the credentials of an access key ID; nil for an unknown one.
  /// - Returns: the verified request.
  /// - Throws: what `parse(_:at:)` and `verify(_:key:body:)` throw.
  public func verify(
    _ message: HTTPMessage, at now: Timestamp = .now, credentials: (String) -> Credentials?
  ) throws(SigV4Error) -> VerifiedRequest<HashBinding> {
    let pending = try parse(message.head, at: now)
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
  /// - Throws: what `parse(_:at:)` and `verify(_:key:body:)` throw; `secretEmpty`.
  public func verify(
    _ message: HTTPMessage, at now: Timestamp = .now, secretAccessKey: (String) -> String?
  ) throws(SigV4Error) -> VerifiedRequest<HashBinding> {
    let pending = try parse(message.head, at: now)
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

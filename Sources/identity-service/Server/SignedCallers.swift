internal import CognitoIdentity
internal import HTTPTypes
internal import SigV4HTTPTypes

/// Verifies signatures with developers' access keys and with temporary credentials.
struct SignedCallers: Sendable {
  private let service: IdentityPoolService
  private let identity: RequestVerifier
  private let tokens: RequestVerifier

  /// Makes a verifier for these host names; for any host if there are none.
  ///
  /// A repeated request is valid again, since two calls within a second can be identical. ``RepeatedCalls``
  /// handles repeated calls that change something.
  init(_ service: IdentityPoolService, hosts: [String]) throws(SigV4Error) {
    self.service = service
    let rule: VerifierPolicy.HostRule =
      hosts.isEmpty ? .unchecked(because: "no host is configured") : .oneOf(Set(hosts))
    func verifier(_ name: String) throws(SigV4Error) -> RequestVerifier {
      var policy = VerifierPolicy(service: name, region: service.settings.region, hosts: rule)
      // AWS's SDKs for PHP and JavaScript (version 2) do not sign these. Each protocol accepts one content
      // type only.
      policy.acceptedUnsignedHeaders = [.contentType, .userAgent]
      // These protocols have no streams and no unsigned bodies.
      policy.payloads = [.hash]
      return try RequestVerifier(policy: policy)
    }
    identity = try verifier("cognito-identity")
    tokens = try verifier("sts")
  }

  /// A developer's call.
  struct Developer: Sendable {
    let accessKeyID: String
    /// The signature in hexadecimal, which covers the whole call.
    let signature: String
  }

  /// Authenticates the developer who signed a call.
  ///
  /// - Throws: `signatureMissing`, `signatureRefused`; `callerForbidden` for temporary credentials.
  func developer(_ request: HTTPRequest, _ body: [UInt8]) async throws(IdentityError) -> Developer {
    let (caller, signature) = try await caller(request, body, identity)
    switch caller {
    case .developer(let id): return Developer(accessKeyID: id, signature: signature)
    case .session: throw .callerForbidden(rule: "credentials of an identity do not allow a developer's call")
    }
  }

  /// Authenticates the caller of a signed STS request.
  func tokenCaller(
    _ request: HTTPRequest, _ body: [UInt8]
  ) async throws(IdentityError) -> SecurityTokenProtocol.Caller {
    try await caller(request, body, tokens).caller
  }

  private func caller(
    _ request: HTTPRequest, _ body: [UInt8], _ verifier: RequestVerifier
  ) async throws(IdentityError) -> (caller: SecurityTokenProtocol.Caller, signature: String) {
    guard
      request.headerFields[.authorization] != nil
        || request.path?.utf8.contains("X-Amz-Signature".utf8) == true
    else {
      throw .signatureMissing
    }
    let pending = try Self.converting { () throws(SigV4Error) in try verifier.parse(request) }
    let id = pending.parameters.accessKeyID
    guard let token = pending.parameters.sessionToken else {
      let key = try await service.verificationKey(for: id)
      _ = try Self.converting { () throws(SigV4Error) in try verifier.verify(pending, key: key, body: body) }
      return (.developer(accessKeyID: id), pending.parameters.signatureText)
    }
    // An invalid token is verified like an unknown key, which takes as long as a wrong signature.
    let opened = try open(token, of: id)
    _ = try Self.converting { () throws(SigV4Error) in
      try verifier.verify(pending, key: opened?.key, body: body)
    }
    guard let opened else { throw .sessionTokenInvalid }
    return (.session(opened.session), pending.parameters.signatureText)
  }

  private func open(_ token: String, of id: String) throws(IdentityError) -> SessionTokens.Opened? {
    do throws(IdentityError) {
      return try service.sessions.open(token, of: id)
    } catch {
      if error == .sessionTokenInvalid { return nil }
      throw error
    }
  }

  private static func converting<R>(_ body: () throws(SigV4Error) -> R) throws(IdentityError) -> R {
    do throws(SigV4Error) { return try body() } catch { throw .signatureRefused(error) }
  }
}

internal import CognitoIdentity
internal import HTTPTypes
internal import SigV4HTTPTypes

/// Judges callers' signatures: developers' access keys, and temporary credentials of our own.
struct SignedCallers: Sendable {
  private let service: IdentityPoolService
  private let identity: RequestVerifier
  private let tokens: RequestVerifier

  /// Judges for these host names; any where there are none.
  ///
  /// A request that comes twice is verified twice: two calls of one second can be the same, byte for byte. What is done
  /// about calls that change something is for ``RepeatedCalls``.
  init(_ service: IdentityPoolService, hosts: [String]) throws(SigV4Error) {
    self.service = service
    let rule: VerifierPolicy.HostRule =
      hosts.isEmpty ? .unchecked(because: "the operator named no hosts") : .oneOf(Set(hosts))
    func verifier(_ name: String) throws(SigV4Error) -> RequestVerifier {
      var policy = VerifierPolicy(service: name, region: service.settings.region, hosts: rule)
      // Amazon's SDKs for PHP and JavaScript (version 2) do not sign these. Each protocol has one content type here.
      policy.acceptedUnsignedHeaders = [.contentType, .userAgent]
      // These protocols have no streams and no unsigned bodies: other modes are the caller's error.
      policy.payloads = [.hash]
      return try RequestVerifier(policy: policy)
    }
    identity = try verifier("cognito-identity")
    tokens = try verifier("sts")
  }

  /// A developer's call.
  struct Developer: Sendable {
    let accessKeyID: String
    /// In hex. It binds the whole call.
    let signature: String
  }

  /// The developer who signed a call.
  ///
  /// - Throws: `signatureMissing`, `signatureRefused`; `callerForbidden` for temporary credentials, which open nothing here.
  func developer(_ request: HTTPRequest, _ body: [UInt8]) throws(IdentityError) -> Developer {
    let (caller, signature) = try caller(request, body, identity)
    switch caller {
    case .developer(let id): return Developer(accessKeyID: id, signature: signature)
    case .session: throw .callerForbidden(rule: "credentials of an identity open no developer's call")
    }
  }

  /// Whoever signed a call to STS.
  func anyone(_ request: HTTPRequest, _ body: [UInt8]) throws(IdentityError) -> SecurityTokenProtocol.Caller {
    try caller(request, body, tokens).caller
  }

  private func caller(
    _ request: HTTPRequest, _ body: [UInt8], _ verifier: RequestVerifier
  ) throws(IdentityError) -> (caller: SecurityTokenProtocol.Caller, signature: String) {
    guard
      request.headerFields[.authorization] != nil
        || request.path?.utf8.contains("X-Amz-Signature".utf8) == true
    else {
      throw .signatureMissing
    }
    let pending = try Self.judge { () throws(SigV4Error) in try verifier.parse(request) }
    let id = pending.parameters.accessKeyID
    guard let token = pending.parameters.sessionToken else {
      let key = try service.verificationKey(for: id)
      _ = try Self.judge { () throws(SigV4Error) in try verifier.verify(pending, key: key, body: body) }
      return (.developer(accessKeyID: id), pending.parameters.signatureText)
    }
    // A token that does not open is judged like a key that nobody has: it costs what a wrong signature costs.
    let opened = try open(token, of: id)
    _ = try Self.judge { () throws(SigV4Error) in try verifier.verify(pending, key: opened?.key, body: body) }
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

  private static func judge<R>(_ body: () throws(SigV4Error) -> R) throws(IdentityError) -> R {
    do throws(SigV4Error) { return try body() } catch { throw .signatureRefused(error) }
  }
}

internal import CognitoIdentity
internal import HTTPTypes
internal import SigV4

/// Verifies signatures with developers' access keys and with temporary credentials.
struct SignedCallers: Sendable {
  typealias Caller = IdentityPoolOperations.Caller

  private let service: IdentityPoolService
  /// By the service's name in signatures.
  private let verifiers: [ExactString: RequestVerifier]

  /// Makes verifiers for calls of some services, for these host names; for any host if there are none.
  ///
  /// A repeated request is valid again, since two calls within a second can be identical. ``RepeatedCalls``
  /// handles repeated calls that change something.
  init(
    _ service: IdentityPoolService, signingNames: [ExactString], hosts: [String]
  ) throws(SigV4Error) {
    self.service = service
    let rule: VerifierPolicy.HostRule =
      hosts.isEmpty ? .unchecked(because: "no host is configured") : .oneOf(Set(hosts))
    var verifiers: [ExactString: RequestVerifier] = [:]
    for name in signingNames {
      var policy = VerifierPolicy(service: name.text, region: service.settings.region, hosts: rule)
      // AWS's SDKs for PHP and JavaScript (version 2) do not sign these. Each protocol accepts one content
      // type only.
      policy.acceptedUnsignedHeaders = [.contentType, .userAgent]
      // Parameters in a query are read like those of a form.
      policy.plusInQuery = .space
      // These protocols have no streams and no unsigned bodies.
      policy.payloads = [.hash]
      // For calls that concern the caller alone.
      policy.placements = [.header, .query]
      policy.longestExpiry = .seconds(900)
      verifiers[name] = try RequestVerifier(policy: policy)
    }
    self.verifiers = verifiers
  }

  /// A caller whose signature was verified.
  struct Signed: Sendable {
    let caller: Caller
    fileprivate let parameters: SignatureParameters

    /// The access key, or that of the temporary credentials.
    var keyID: String { parameters.accessKeyID }
    /// The signature in hexadecimal, which covers the whole call.
    var signature: String { parameters.signatureText }

    var isDeveloper: Bool { if case .developer = caller { true } else { false } }

    /// Whether others than the caller may have sent it.
    var isPresigned: Bool { parameters.placement == .query }

    /// The access key or the identity, for limits and logs.
    var name: String {
      switch caller {
      case .developer(let id, _, _): id
      case .session(let session): session.identityID.isEmpty ? session.assumedRoleARN : session.identityID
      case .unsigned: ""
      }
    }
  }

  /// Refuses a request without a signature by its head.
  static func requireSignature(_ request: HTTPRequest) throws(IdentityError) {
    guard
      request.headerFields.contains(.authorization)
        || request.path?.utf8.contains("X-Amz-Signature".utf8) == true
    else { throw .signatureMissing }
  }

  /// Authenticates the caller of a signed request.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - body: its body.
  ///   - signingName: the service's name in signatures.
  ///   - acceptsPresigned: whether the signature may be in the query. Who sees such a URL can send it, too.
  /// - Returns: the caller.
  /// - Throws: `signatureMissing`, `signatureRefused`, `sessionTokenInvalid`, `sessionExpired`, `sessionRevoked`.
  nonisolated(nonsending) func caller(
    _ request: HTTPRequest, _ body: [UInt8], of signingName: ExactString, acceptsPresigned: Bool
  ) async throws(IdentityError) -> Signed {
    let claimed = try await claim(request, of: signingName, acceptsPresigned: acceptsPresigned)
    _ = try Self.converting { () throws(SigV4Error) in
      try claimed.verifier.verify(claimed.pending, key: claimed.key, body: body)
    }
    guard let caller = claimed.caller else { throw claimed.refusal }
    return Signed(caller: caller, parameters: claimed.pending.parameters)
  }

  /// The identity whose session token a request has, by its head alone. The signature is not verified. Nil for a request
  /// with an access key, and for a token that does not open.
  ///
  /// - Throws: `signatureMissing`, `signatureRefused` for a signature that cannot be read, `sessionExpired`.
  func claimedSession(
    _ request: HTTPRequest, of signingName: ExactString
  ) throws(IdentityError) -> Caller? {
    let (_, pending) = try parse(request, of: signingName, acceptsPresigned: false)
    guard let token = pending.parameters.sessionToken else { return nil }
    return try open(token, of: pending.parameters.accessKeyID)?.session.map { .session($0) }
  }

  private func parse(
    _ request: HTTPRequest, of signingName: ExactString, acceptsPresigned: Bool
  ) throws(IdentityError) -> (RequestVerifier, PendingRequest) {
    try Self.requireSignature(request)
    guard let verifier = verifiers[signingName] else {
      throw .callerForbidden(rule: "the service has no signed calls")
    }
    let pending = try Self.converting { () throws(SigV4Error) in try verifier.parse(request) }
    guard acceptsPresigned || pending.parameters.placement == .header else {
      throw .signatureRefused(.placementNotAccepted(.query))
    }
    return (verifier, pending)
  }

  /// A request's claim about its caller. Without a key it is verified like an unknown one, which takes as long as a
  /// wrong signature.
  private struct Claim {
    let verifier: RequestVerifier
    let pending: PendingRequest
    var key: VerificationKey?
    /// Nil for a session token that does not open, and for a session that has ended.
    var caller: Caller?
    /// Why the caller is nil.
    var refusal: IdentityError = .sessionTokenInvalid
  }

  private nonisolated(nonsending) func claim(
    _ request: HTTPRequest, of signingName: ExactString, acceptsPresigned: Bool
  ) async throws(IdentityError) -> Claim {
    let (verifier, pending) = try parse(request, of: signingName, acceptsPresigned: acceptsPresigned)
    let id = pending.parameters.accessKeyID
    var claim = Claim(verifier: verifier, pending: pending)
    if let token = pending.parameters.sessionToken {
      guard let opened = try open(token, of: id) else { return claim }
      claim.key = opened.key
      do throws(IdentityError) { claim.caller = try await service.caller(with: opened, of: id) } catch {
        guard error == .sessionTokenInvalid || error == .sessionRevoked else { throw error }
        claim.refusal = error
      }
    } else {
      // Read for each call: a removed key is refused at once.
      let key = try await service.openedAccessKey(id)
      claim.key = key?.verificationKey
      claim.caller = .developer(accessKeyID: id, scope: key?.scope)
    }
    return claim
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
    do throws(SigV4Error) { return try body() } catch {
      // Callers do not learn which access keys exist, by the code either.
      if case .accessKeyUnknown = error { throw .signatureRefused(.signatureMismatch) }
      throw .signatureRefused(error)
    }
  }
}

public import AccessPolicies
internal import ServiceOperations
public import SigV4
public import TokenLifetime
public import TokenSecurityBase

/// A request whose signature was verified with a session's key, and what the session may do.
public struct SessionRequest<Binding: BodyBinding>: Sendable {
  /// The request. Its type says how its body is bound.
  public let request: VerifiedRequest<Binding>
  /// The session that made it.
  public let session: SessionIdentity
  private let principal: AccessPrincipal
  private let context: AccessContext
  let policies: SessionPolicies

  init(
    _ request: VerifiedRequest<Binding>, _ values: KnownSession.Prepared, region: String,
    at now: Timestamp, from address: String?
  ) {
    self.request = request
    session = values.identity
    principal = values.principal
    var keys = values.context
    keys["aws:RequestedRegion"] = [region]
    keys.setRequest(time: now, address: address)
    context = keys
    policies = values.policies
  }

  /// Decides by the session's policies whether it may do something.
  ///
  /// - Parameters:
  ///   - action: `orders:Read`.
  ///   - resource: the resource's ARN. Default: `*`, for an action without a resource.
  ///   - more: condition keys of the request, such as tags of the resource. Those of the session come first.
  /// - Returns: the decision with its reason.
  /// - Throws: `policyUnreadable`.
  public func decide(
    _ action: String, on resource: String = "*", with more: KeyValuePairs<String, [String]> = [:]
  ) throws(SessionRequestError) -> AccessDecision {
    try decide(action, on: resource, with: Array(more))
  }

  /// Checks by the session's policies that it may do something.
  ///
  /// - Parameters:
  ///   - action: `orders:Read`.
  ///   - resource: the resource's ARN. Default: `*`, for an action without a resource.
  ///   - more: condition keys of the request, such as tags of the resource. Those of the session come first.
  /// - Throws: `denied` with the explanation, `policyUnreadable`.
  public func check(
    _ action: String, on resource: String = "*", with more: KeyValuePairs<String, [String]> = [:]
  ) throws(SessionRequestError) {
    try check(action, on: resource, with: Array(more))
  }

  func asked(
    _ action: String, _ resource: String, _ more: some Sequence<(key: String, value: [String])>
  ) -> AccessRequest {
    var keys = context
    for (name, values) in more {
      guard case nil = context[name] else { continue }
      keys[name] = values
    }
    return AccessRequest(principal: principal, action: action, resource: resource, context: keys)
  }
}

/// The session that made a request.
public struct SessionIdentity: Sendable {
  /// The session's ARN, or that of the user of access keys.
  public let arn: String
  /// The role; nil for a session of an access key.
  public let roleARN: String?
  /// The session's name; nil for a session of an access key.
  public let sessionName: String?
  /// The identity; nil for a session without one.
  public let identityID: String?
  /// The identity's pool; nil for a session without one.
  public let poolID: String?
  /// How the identity signed in; empty for a session without one.
  public let methods: [String]
  /// The session's tags.
  public let tags: [ExactString: String]
  /// Who acts, as the first caller of `AssumeRole` said.
  public let sourceIdentity: String?
  /// When the session ends.
  public let expiration: Timestamp

  init(_ session: VerifiedSession, ends expiration: Timestamp) {
    arn = session.arn
    roleARN = session.roleARN
    sessionName = session.sessionName
    identityID = session.identityID
    poolID = session.poolID
    methods = session.methods ?? []
    tags = session.tags ?? [:]
    sourceIdentity = session.sourceIdentity
    self.expiration = expiration
  }
}

extension RequestVerifier {
  /// Verifies a whole request with the key of its session.
  ///
  /// - Parameters:
  ///   - message: the request with its body.
  ///   - keys: the keys of sessions.
  ///   - address: the client's address, for policies. Default: unknown.
  ///   - now: the current time.
  /// - Returns: the request and its session.
  /// - Throws: `signature` for a request that breaks a rule, `sessionRefused`, `busy`, `unavailable`.
  public func verify(
    _ message: HTTPMessage, with keys: SessionKeys, from address: String? = nil, at now: Timestamp = .now
  ) async throws(SessionRequestError) -> SessionRequest<HashBinding> {
    let pending = try SessionRequestError.converting { () throws(SigV4Error) in
      try parse(message, at: now)
    }
    let values = try await keys.values(of: pending.parameters, region: policy.region, from: address, at: now)
    let request = try SessionRequestError.converting { () throws(SigV4Error) in
      try verify(pending, key: values?.key, body: message.body)
    }
    return try sessionRequest(request, values, from: address, at: now)
  }

  /// Verifies the head of a request with the key of its session. The body is unchecked, as by
  /// `verifyLeavingBodyUnchecked(_:key:because:)`.
  ///
  /// - Parameters:
  ///   - head: the request without its body.
  ///   - keys: the keys of sessions.
  ///   - reason: why the body is not checked.
  ///   - assumesNoBody: true where a signature that covers the body's own hash must be one of a request without a body. Then
  ///     nothing may be read of a body, unless its hash is compared. Default: false.
  ///   - address: the client's address, for policies. Default: unknown.
  ///   - now: the current time.
  /// - Returns: the request and its session. The binding of the request has what the signature says of the body.
  /// - Throws: as `verify(_:with:from:at:)`; `signature` with `payloadHashMissing` where no header has the body's hash.
  public func verifyLeavingBodyUnchecked(
    _ head: RequestHead, with keys: SessionKeys, because reason: String,
    assumingNoBody assumesNoBody: Bool = false,
    from address: String? = nil, at now: Timestamp = .now
  ) async throws(SessionRequestError) -> SessionRequest<NoBinding> {
    let pending = try SessionRequestError.converting { () throws(SigV4Error) in try parse(head, at: now) }
    let values = try await keys.values(of: pending.parameters, region: policy.region, from: address, at: now)
    let request = try SessionRequestError.converting { () throws(SigV4Error) in
      try verifyLeavingBodyUnchecked(
        pending, key: values?.key, because: reason, assumingNoBody: assumesNoBody)
    }
    return try sessionRequest(request, values, from: address, at: now)
  }

  func sessionRequest<Binding>(
    _ request: VerifiedRequest<Binding>, _ values: KnownSession.Prepared?, from address: String?,
    at now: Timestamp
  ) throws(SessionRequestError) -> SessionRequest<Binding> {
    guard let values else { throw .signature(.accessKeyUnknown(request.accessKeyID)) }
    return SessionRequest(request, values, region: policy.region, at: now, from: address)
  }
}

public import AccessPolicies
internal import ServiceOperations
public import SigV4
public import TokenLifetime
public import TokenSecurityBase

/// A request whose signature was verified with a session's key, and what the session may do.
public struct SessionRequest: Sendable {
  /// The request.
  public let request: VerifiedRequest<HashBinding>
  /// The session that made it.
  public let session: SessionIdentity
  private let principal: AccessPrincipal
  private let context: AccessContext
  private let policies: SessionPolicies

  init(
    _ request: VerifiedRequest<HashBinding>, _ values: KnownSession.Prepared, region: String,
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
    if let name = policies.unreadable { throw .policyUnreadable(name: name) }
    return policies.set.decide(asked(action, resource, more))
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
    guard try !decide(action, on: resource, with: more).isAllowed else { return }
    throw .denied(policies.set.explain(asked(action, resource, more)))
  }

  private func asked(_ action: String, _ resource: String, _ more: KeyValuePairs<String, [String]>)
    -> AccessRequest
  {
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
  ) async throws(SessionRequestError) -> SessionRequest {
    let pending = try SessionRequestError.converting { () throws(SigV4Error) in
      try parse(message, at: now)
    }
    let answer = try await keys.answer(
      pending.parameters, region: policy.region, from: address, at: now)
    var values: KnownSession.Prepared?
    switch answer {
    case .valid(let session)?: values = try keys.values(of: session, pending.parameters)
    case .refused(let message, _, _)?: throw .sessionRefused(message: message)
    case .failed(let error)?: throw .unavailable(error)
    case nil: break
    }
    // Without a key it takes as long as a wrong signature.
    let request = try SessionRequestError.converting { () throws(SigV4Error) in
      try verify(pending, key: values?.key, body: message.body)
    }
    guard let values else { throw .signature(.accessKeyUnknown(pending.parameters.accessKeyID)) }
    return SessionRequest(request, values, region: policy.region, at: now, from: address)
  }
}

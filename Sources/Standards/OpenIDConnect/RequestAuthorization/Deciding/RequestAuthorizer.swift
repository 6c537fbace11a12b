public import HTTPExchange
public import JOSE
public import Logging
internal import TokenSecurityBase

/// Authorizes requests by their access tokens, under a configuration.
///
///     func status(_ json: [UInt8], transport: any HTTPTransport) async throws -> Int {
///       let authorizer = try RequestAuthorizer(AuthorizationConfiguration(json)) { _ in transport }
///       let fields = RequestFields { name in name == "authorization" ? ["Bearer abc"] : [] }
///       return await authorizer.decide(route: "orders", fields: fields).status
///     }
///
/// Any number of tasks may call it.
public struct RequestAuthorizer: Sendable {
  private struct Rules: Sendable {
    let route: AuthorizationRoute
    let verifier: OpenIDVerifier
  }

  private let routes: [ExactString: Rules]
  private struct NamedVerifier: Sendable {
    let policy: AuthorizationPolicy
    let verifier: OpenIDVerifier
  }

  private let verifiers: [ExactString: NamedVerifier]
  private let nonces: ProofNonces?
  /// The proofs that were used.
  private let replays: TokenReplayCache
  /// Maximum number of remembered proofs, about 200 bytes each. Further ones are refused until the oldest have expired.
  private static let replayCapacity = 1_000_000
  /// Whether all policies have the verifiers of the former authorizer, with their keys.
  public let keepsAllKeys: Bool

  /// Makes an authorizer.
  ///
  /// - Parameters:
  ///   - configuration: the policies and routes.
  ///   - former: an authorizer whose keys and verified tokens are used further where a policy is the same, unless it has
  ///     `trust_roots`, whose file may have changed. Default: none.
  ///   - nonces: the nonces of DPoP proofs; nil for none.
  ///   - logger: the logger for events of keys. Default: none.
  ///   - transport: makes the HTTP client that fetches the keys of a policy.
  /// - Throws: `issuer` for a policy that no verifier can have.
  public init(
    _ configuration: AuthorizationConfiguration, replacing former: RequestAuthorizer? = nil,
    nonces: ProofNonces? = nil, logger: Logger = .silent,
    transport: (PolicyDocument) -> any HTTPTransport
  ) throws(PolicyDocumentError) {
    var verifiers: [ExactString: NamedVerifier] = [:]
    var keepsAllKeys = true
    for policy in configuration.policies {
      let (name, document) = (ExactString(policy.name), policy.document)
      if let same = former?.verifiers[name], same.policy.json == policy.json, document.trustRoots == nil {
        verifiers[name] = same
        continue
      }
      keepsAllKeys = false
      do throws(OpenIDError) {
        let verifier = try OpenIDVerifier(
          document.issuers, transport: transport(document), configuration: document.fetching,
          cache: document.cacheCapacity.map { VerifiedTokenCache(capacity: $0) }, logger: logger)
        verifiers[name] = NamedVerifier(policy: policy, verifier: verifier)
      } catch {
        throw .issuer(error)
      }
    }
    var routes: [ExactString: Rules] = [:]
    for route in configuration.routes {
      guard let verifier = verifiers[ExactString(route.policy)]?.verifier else {
        throw .member("routes.\(route.name).policy", rule: "is not in policies")
      }
      routes[ExactString(route.name)] = Rules(route: route, verifier: verifier)
    }
    self.nonces = nonces
    replays = former?.replays ?? DPoPRules.replays(capacity: Self.replayCapacity)
    self.routes = routes
    self.verifiers = verifiers
    self.keepsAllKeys = keepsAllKeys
  }

  /// Decides about a request.
  ///
  /// - Parameters:
  ///   - name: the route's name.
  ///   - fields: the header fields of the proxy's question.
  ///   - now: the current time.
  /// - Returns: the decision.
  public func decide(
    route name: String, fields: RequestFields, at now: NumericDate = .now
  ) async -> AuthorizationDecision {
    guard let rules = routes[ExactString(name)] else { return .routeUnknown }
    let challenge = Challenge(route: rules.route)
    let (compact, scheme): (String, AuthorizationField.Scheme)
    switch AuthorizationField.read(fields.all("authorization")) {
    case .token(let token, .dpop) where rules.route.proof != nil: (compact, scheme) = (token, .dpop)
    case .token(let token, .bearer): (compact, scheme) = (token, .bearer)
    case .none, .token: return .unauthenticated(challenge: challenge.text(), code: "token_missing")
    case .malformed:
      let code = "authorization_malformed"
      return .unauthenticated(
        challenge: challenge.text(.init(error: "invalid_request", description: code)), code: code)
    }
    let token: VerifiedToken
    do throws(OpenIDError) {
      token = try await Self.verify(compact, rules.verifier, now)
    } catch {
      guard error.isRefusal else { return .unavailable(code: error.codeText) }
      let text = challenge.text(.init(error: "invalid_token", description: error.codeText), of: scheme)
      return .unauthenticated(challenge: text, code: error.codeText)
    }
    var nonce: String?
    do throws(SenderCheck.Refusal) {
      let check = SenderCheck(route: rules.route, nonces: nonces, replays: replays)
      if try check.check(token, scheme, fields, at: now) { nonce = nonces?.make(at: now) }
    } catch {
      guard !error.isOfProxy else { return .unavailable(code: error.code) }
      let text = challenge.text(.init(error: error.error, description: error.code), of: scheme)
      return .unauthenticated(
        challenge: text, code: error.code, nonce: error.needsNonce ? nonces?.make(at: now) : nil)
    }
    return Self.decide(token.claims, rules.route, challenge, scheme, nonce)
  }

  /// The metadata document of a route, as JSON (RFC 9728 section 3.2); nil if it has none.
  ///
  /// - Parameter name: the route's name.
  /// - Returns: the document.
  public func metadata(ofRoute name: String) -> [UInt8]? {
    routes[ExactString(name)]?.route.metadata?.document
  }

  /// Without a wait where the keys are there.
  private static func verify(
    _ compact: String, _ verifier: OpenIDVerifier, _ now: NumericDate
  ) async throws(OpenIDError) -> VerifiedToken {
    do throws(OpenIDError) { return try verifier.verify(compact, at: now) } catch {
      // The keys are not there yet, or the issuer may have a new one.
      guard error.canChangeWithKeys else { throw error }
    }
    return try await verifier.verifyFetchingKeys(compact, at: now)
  }

  private static func decide(
    _ claims: TokenClaims, _ route: AuthorizationRoute, _ challenge: Challenge,
    _ scheme: AuthorizationField.Scheme,
    _ nonce: String?
  ) -> AuthorizationDecision {
    if !route.contexts.isEmpty {
      guard let actual = claims["acr"]?.string, route.contexts.contains(actual) else {
        // RFC 9470 section 3.
        let parameters = Challenge.Parameters(
          error: "insufficient_user_authentication", description: "acr_mismatch",
          contexts: route.contexts.joined(separator: " "))
        return .unauthenticated(challenge: challenge.text(parameters, of: scheme), code: "acr_mismatch")
      }
    }
    if !route.scopes.isEmpty {
      let scopes = Set(route.scopes(in: claims).map { ExactString($0) })
      guard route.scopes.allSatisfy({ scopes.contains(ExactString($0)) }) else {
        let parameters = Challenge.Parameters(
          error: "insufficient_scope", scope: route.scopes.joined(separator: " "))
        return .forbidden(challenge: challenge.text(parameters, of: scheme), code: "scope_missing")
      }
    }
    var fields: [AuthorizationDecision.Field] = []
    for header in route.headers {
      guard let value = header.value(in: claims) else {
        return .forbidden(
          // RFC 6750 has no error code for a token that is valid.
          challenge: challenge.text(of: scheme), code: "claim_too_long")
      }
      fields.append(.init(name: header.name, value: value))
    }
    if let nonce { fields.append(.init(name: "DPoP-Nonce", value: nonce)) }
    return .allowed(fields)
  }

  /// Fetches the keys of all issuers.
  ///
  /// - Throws: the first error, after all fetches have ended.
  public func prefetch() async throws(PolicyDocumentError) {
    let error = await withTaskGroup(of: OpenIDError?.self) { group in
      for named in verifiers.values {
        group.addTask {
          do throws(OpenIDError) { try await named.verifier.prefetch() } catch { return error }
          return nil
        }
      }
      return await group.reduce(nil) { $0 ?? $1 }
    }
    if let error { throw .issuer(error) }
  }

  /// Keeps the keys of all issuers fresh until the task is cancelled.
  public func keepFresh() async {
    await withTaskGroup(of: Void.self) { group in
      for named in verifiers.values { group.addTask { await named.verifier.keepFresh() } }
    }
  }
}

public import HTTPExchange
public import JOSE
public import Logging
internal import OpenIDConnect
internal import TokenSecurityEncodings

/// Authorizes requests by their bearer tokens, under a configuration.
///
///     func status(_ json: [UInt8], transport: any HTTPTransport) async throws -> Int {
///       let authorizer = try RequestAuthorizer(AuthorizationConfiguration(json)) { _ in transport }
///       return await authorizer.decide(route: "orders", authorization: ["Bearer abc"]).status
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
  /// Whether all policies have the verifiers of the former authorizer, with their keys.
  public let keepsAllKeys: Bool

  /// Makes an authorizer.
  ///
  /// - Parameters:
  ///   - configuration: the policies and routes.
  ///   - former: an authorizer whose keys and verified tokens are used further where a policy is the same, unless it has
  ///     `trust_roots`, whose file may have changed. Default: none.
  ///   - logger: the logger for events of keys. Default: none.
  ///   - transport: makes the HTTP client that fetches the keys of a policy.
  /// - Throws: `issuer` for a policy that no verifier can have.
  public init(
    _ configuration: AuthorizationConfiguration, replacing former: RequestAuthorizer? = nil,
    logger: Logger = .silent,
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
    self.routes = routes
    self.verifiers = verifiers
    self.keepsAllKeys = keepsAllKeys
  }

  /// Decides about a request.
  ///
  /// - Parameters:
  ///   - name: the route's name.
  ///   - authorization: the values of the request's `Authorization` fields.
  ///   - now: the current time.
  /// - Returns: the decision.
  public func decide(
    route name: String, authorization: [String], at now: NumericDate = .now
  ) async -> AuthorizationDecision {
    guard let rules = routes[ExactString(name)] else { return .routeUnknown }
    let challenge = Challenge(realm: rules.route.realm)
    let compact: String
    switch BearerToken.read(authorization) {
    case .token(let token): compact = token
    case .none: return .unauthenticated(challenge: challenge.text(), code: "token_missing")
    case .malformed:
      return .unauthenticated(
        challenge: challenge.text(error: "invalid_request", description: "authorization_malformed"),
        code: "authorization_malformed")
    }
    let token: VerifiedToken
    do throws(OpenIDError) {
      token = try await Self.verify(compact, rules.verifier, now)
    } catch {
      guard error.isRefusal else { return .unavailable(code: error.codeText) }
      return .unauthenticated(
        challenge: challenge.text(error: "invalid_token", description: error.codeText), code: error.codeText)
    }
    return Self.decide(token.claims, rules.route, challenge)
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
    _ claims: TokenClaims, _ route: AuthorizationRoute, _ challenge: Challenge
  ) -> AuthorizationDecision {
    if !route.scopes.isEmpty {
      let scopes = Set(route.scopes(in: claims).map { ExactString($0) })
      guard route.scopes.allSatisfy({ scopes.contains(ExactString($0)) }) else {
        let text = challenge.text(error: "insufficient_scope", scope: route.scopes.joined(separator: " "))
        return .forbidden(challenge: text, code: "scope_missing")
      }
    }
    var fields: [AuthorizationDecision.Field] = []
    for header in route.headers {
      guard let value = header.value(in: claims) else {
        return .forbidden(
          // RFC 6750 has no error code for a token that is valid.
          challenge: challenge.text(), code: "claim_too_long")
      }
      fields.append(.init(name: header.name, value: value))
    }
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

/// The value of `WWW-Authenticate` (RFC 6750 section 3). No part of it is text of the request.
struct Challenge {
  let realm: String?

  func text(error: String? = nil, description: String? = nil, scope: String? = nil) -> String {
    let parts = [("realm", realm), ("error", error), ("error_description", description), ("scope", scope)]
      .compactMap { name, value in value.map { "\(name)=\"\($0)\"" } }
    return parts.isEmpty ? "Bearer" : "Bearer " + parts.joined(separator: ", ")
  }
}

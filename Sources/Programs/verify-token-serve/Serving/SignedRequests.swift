internal import AccessPolicies
internal import CognitoIdentityClient
internal import HTTPExchange
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import OpenIDConnect
internal import ServiceHosting
internal import SigV4
internal import Synchronization
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Decides about signed requests.
struct SignedRequests: Sendable {
  private struct Rules: Sendable {
    let route: SignedRoute
    let verifier: RequestVerifier
    let keys: SessionKeys
  }

  private let rules: [ExactString: Rules]
  private let keys: [SessionKeysSettings: SessionKeys]
  private let failures: ReportLimit

  /// Maximum number of remembered requests of a route, for 15 to 30 minutes each.
  private static let replayCapacity = 1_000_000

  /// Makes the rules of a configuration.
  ///
  /// - Parameters:
  ///   - configuration: the routes.
  ///   - former: rules whose keys, and remembered requests, are used further where settings are the same.
  ///   - transport: makes the HTTP client that asks for keys.
  /// - Throws: `member` for a key that cannot be read.
  init(
    _ configuration: SidecarConfiguration, replacing former: SignedRequests?,
    transport: (SessionKeysSettings) -> any HTTPTransport
  ) throws(PolicyDocumentError) {
    failures = former?.failures ?? ReportLimit()
    var keys: [SessionKeysSettings: SessionKeys] = [:]
    for settings in configuration.keys {
      try settings.check()
      // The file of certificates may have changed.
      let kept = settings.trustRoots == nil ? former?.keys[settings] : nil
      keys[settings] =
        kept
        ?? SessionKeys(
          endpoint: settings.endpoint, credentials: settings.credentials, transport: transport(settings),
          capacity: settings.capacity, questions: settings.questions)
    }
    self.keys = keys
    var rules: [ExactString: Rules] = [:]
    for route in configuration.signed {
      let name = ExactString(route.name)
      guard let settings = configuration.keys.first(where: { $0.name.isIdentical(to: route.keys) }),
        let found = keys[settings]
      else { throw .member("routes.\(route.name).keys", rule: "is not in session_keys") }
      if let same = former?.rules[name], same.route == route {
        rules[name] = Rules(route: route, verifier: same.verifier, keys: found)
        continue
      }
      do throws(SigV4Error) {
        // A route with other members must not accept what this one has accepted.
        let remembered = former?.rules[name]?.verifier.replays
        let replays = route.isOnce ? remembered ?? ReplayCache(capacity: Self.replayCapacity) : nil
        let verifier = try RequestVerifier(policy: route.policy, replays: replays)
        rules[name] = Rules(route: route, verifier: verifier, keys: found)
      } catch {
        throw .member("routes.\(route.name)", rule: "\(error)")
      }
    }
    self.rules = rules
  }

  /// Decides about a request.
  ///
  /// - Parameters:
  ///   - name: the route's name.
  ///   - request: the proxy's question.
  ///   - fields: its fields.
  ///   - logger: the log.
  ///   - now: the current time.
  /// - Returns: the answer; nil if there is no such route of signed requests.
  func decide(
    route name: String, _ request: Request, _ fields: RequestFields, logger: Logger, at now: Timestamp
  ) async -> RouteAnswer? {
    guard let rules = rules[ExactString(name)] else { return nil }
    let route = rules.route
    guard let found = route.fields.read(request, fields, hasBody: route.bodyLimit != nil) else {
      return RouteAnswer(unavailable: "proxy_fields_missing")
    }
    do throws(SessionRequestError) {
      guard let limit = route.bodyLimit else {
        let isEmpty = found.length.map { $0.isIdentical(to: "0") } ?? true
        let verified = try await rules.verifier.verifyLeavingBodyUnchecked(
          found.head, with: rules.keys, because: "the application compares the hash",
          assumingNoBody: isEmpty, from: found.address, at: now)
        return try answer(route, verified, Self.text(verified.request.binding.declared), logger)
      }
      // Envoy says so where it hands over a part: its signature would say nothing of the rest.
      guard fields.all("x-envoy-auth-partial-body").allSatisfy({ $0.isIdentical(to: "false") }) else {
        return RouteAnswer(refusing: "RequestTooLargeException", code: "body_too_large")
      }
      var body = try await rules.verifier.verifyBody(
        found.head, with: rules.keys, from: found.address, at: now)
      guard try await Self.read(request.body, into: &body, upTo: limit) else {
        return RouteAnswer(refusing: "RequestTooLargeException", code: "body_too_large")
      }
      let verified = try body.finish()
      guard case .hash(let hash) = verified.request.binding.means else {
        throw .signature(.payloadNotBound)
      }
      return try answer(route, verified, Hex.string(hash), logger)
    } catch {
      let response = error.response
      // 501: a checksum that this program cannot compute, which the client has chosen.
      guard response.status < 500 || response.status == 501 else {
        report(error, logger, route)
        return RouteAnswer(unavailable: error.codeText)
      }
      return RouteAnswer(refusing: response.code, code: error.codeText)
    }
  }

  /// Reads a body piece by piece.
  ///
  /// - Returns: false for one that is larger than the limit, or does not end.
  private static func read(
    _ pieces: RequestBody, into body: inout SessionBody, upTo limit: Int
  ) async throws(SessionRequestError) -> Bool {
    var size = 0
    do {
      for try await piece in pieces {
        size += piece.readableBytes
        guard size <= limit else { return false }
        try body.read(Array(piece.readableBytesView))
      }
    } catch let error as SessionRequestError {
      throw error
    } catch {
      return false
    }
    return true
  }

  private static func text(_ declared: UnverifiedRequest.DeclaredPayload) -> String {
    switch declared {
    case .sha256(let hash): Hex.string(hash)
    case .mode(let mode): mode.name
    }
  }

  private func answer(
    _ route: SignedRoute, _ verified: SessionRequest<some BodyBinding>, _ body: String, _ logger: Logger
  ) throws(SessionRequestError) -> RouteAnswer {
    let accesses: [RequestedAccess]
    do throws(AccessMappingError) { accesses = try route.mapping.accesses(of: verified.request.head) } catch {
      log(logger, route, verified.session, code: error.codeText, [("reason", "\(error)")])
      return RouteAnswer(refusing: "AccessDenied", code: error.codeText)
    }
    for access in accesses {
      do throws(SessionRequestError) {
        try verified.check(access.action, on: access.resource, with: access.keys)
      } catch {
        var more = [("action", access.action), ("resource", access.resource), ("reason", "\(error)")]
        if case .denied(let explanation) = error { more.append(("explanation", explanation.line)) }
        log(logger, route, verified.session, code: error.codeText, more)
        throw error
      }
    }
    guard let first = accesses.first else {
      return RouteAnswer(refusing: "AccessDenied", code: AccessMappingError.Code.unmapped.rawValue)
    }
    let access = SessionAccess(
      session: verified.session, accessKeyID: verified.request.accessKeyID, access: first, body: body)
    var fields: [(name: String, value: String)] = []
    for header in route.headers {
      guard let value = header.value(access) else {
        return RouteAnswer(refusing: "AccessDenied", code: "claim_too_long")
      }
      fields.append((header.name, value))
    }
    return RouteAnswer(allowing: fields)
  }

  /// Logs why a request cannot be decided. Strangers' requests come here, too, while the service does not answer.
  private func report(_ error: SessionRequestError, _ logger: Logger, _ route: SignedRoute) {
    guard let before = failures.report("\(route.keys): \(error.codeText)") else { return }
    logger.log(
      .warning, "keys of sessions cannot be asked for",
      with: [
        ("keys", route.keys), ("code", error.codeText), ("reason", "\(error)"), ("before", "\(before)"),
      ])
  }

  /// Logs a refusal. The caller has the credentials of a session: no stranger writes lines.
  private func log(
    _ logger: Logger, _ route: SignedRoute, _ session: SessionIdentity, code: String,
    _ more: [(String, String)]
  ) {
    logger.log(
      .info, "denied by policies",
      with: [
        ("route", route.name), ("code", code), ("session", session.arn),
        ("identity", session.identityID ?? ""),
      ]
        + more.map { (name: $0.0, value: $0.1) })
  }
}

extension SessionKeysSettings {
  /// Reads the key, and the file of certificates, once.
  ///
  /// - Throws: `member`.
  fileprivate func check() throws(PolicyDocumentError) {
    do throws(CredentialsError) {
      if let keyFile {
        _ = try AccessKeyFile(path: keyFile).read()
      } else {
        _ = try EnvironmentCredentials().read()
      }
    } catch {
      throw .member("session_keys.\(name).key_file", rule: "cannot be used: \(error)")
    }
    guard let trustRoots, let reason = PolicyDocument.problem(ofRoots: trustRoots) else { return }
    throw .member(
      "session_keys.\(name).trust_roots", rule: "is \(trustRoots.quoted), which cannot be used: \(reason)")
  }
}

internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import Metrics
internal import RequestAuthorization
internal import ServiceHosting
internal import TokenSecurityEncodings

/// Responds to the questions of proxies: `/route/NAME`, and whatever a proxy adds to that path.
///
/// The route is in the path that the proxy's configuration says. The path of the client's request decides nothing, so that
/// proxy and sidecar cannot read it in two ways.
struct DecisionResponder: HTTPResponder {
  let rules: CurrentRules
  let logger: Logger

  func respond(to request: Request, context: RequestSender) async throws -> Response {
    let start = ContinuousClock.now
    let route = Self.route(request.head.path ?? "")
    let decision: AuthorizationDecision =
      if let route {
        await rules.authorizer.decide(route: route, authorization: request.headers[values: .authorization])
      } else {
        .routeUnknown
      }
    // An unknown route is the text of a request, which neither metrics nor logs have.
    let name = decision == .routeUnknown ? "unknown" : route ?? "unknown"
    let dimensions = [("route", name), ("code", decision.code)]
    Counter(label: "verify_token_decisions_total", dimensions: dimensions).increment()
    let nanoseconds = Int64((ContinuousClock.now - start) / .nanoseconds(1))
    Timer(label: "verify_token_decision_seconds", dimensions: [("route", name)])
      .recordNanoseconds(nanoseconds)
    logger.log(
      .debug, "decision",
      with: [("route", name), ("code", decision.code), ("status", "\(decision.status)")])
    return Self.response(decision)
  }

  /// The second part of a path that begins with `/route/`.
  static func route(_ target: String) -> String? {
    let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
    let parts = path.split(separator: UInt8(ascii: "/"), maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[0].isEmpty, parts[1].elementsEqual("route".utf8), !parts[2].isEmpty else {
      return nil
    }
    return String(Substring(parts[2]))
  }

  private static func response(_ decision: AuthorizationDecision) -> Response {
    var fields = HTTPFields()
    fields[.cacheControl] = "no-store"
    switch decision {
    case .allowed(let claims):
      for field in claims {
        guard let name = HTTPField.Name(field.name) else { continue }
        fields.append(HTTPField(name: name, value: field.value))
      }
    case .unauthenticated(let challenge, _), .forbidden(let challenge, _):
      fields[.wwwAuthenticate] = challenge
    case .unavailable: fields[.retryAfter] = "1"
    case .routeUnknown: break
    }
    return Response(status: HTTPResponse.Status(code: decision.status), headers: fields)
  }
}

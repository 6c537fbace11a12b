internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import OpenIDConnect
internal import ServiceHosting
internal import TokenSecurityBase

/// Responds to the questions of proxies: `/route/NAME`, and whatever a proxy adds to that path; and to requests for the
/// metadata of a route, `/metadata/NAME`.
///
/// The route is in the path that the proxy's configuration says. For routes of tokens the path of the client's request decides
/// nothing, so that proxy and sidecar cannot read it in two ways.
struct DecisionResponder: HTTPResponder {
  let rules: CurrentRules
  let logger: Logger
  private let counters = Counters(label: "verify_token_decisions_total", names: "route", "code")
  private let timers = Timers(label: "verify_token_decision_seconds", name: "route")

  init(rules: CurrentRules, logger: Logger) {
    self.rules = rules
    self.logger = logger
  }

  func respond(to request: Request, context: RequestSender) async throws -> Response {
    if let route = Self.route(request.head.path ?? "", after: "metadata") { return metadata(of: route) }
    let start = ContinuousClock.now
    let (name, answer) = await answer(request)
    counters.increment(name, answer.code)
    timers.record(name, nanoseconds: Int64((ContinuousClock.now - start) / .nanoseconds(1)))
    logger.log(
      .debug, "decision", with: [("route", name), ("code", answer.code), ("status", "\(answer.status)")])
    var fields = answer.fields
    fields[.cacheControl] = "no-store"
    return Response(status: HTTPResponse.Status(code: answer.status), headers: fields)
  }

  /// The answer with the route's name. An unknown route is the text of a request, which neither metrics nor logs have.
  private func answer(_ request: Request) async -> (route: String, RouteAnswer) {
    guard let route = Self.route(request.head.path ?? "") else {
      return ("unknown", RouteAnswer(.routeUnknown))
    }
    let (fields, rules) = (Self.fields(request), rules.current)
    if let answer = await rules.signed.decide(route: route, request, fields, logger: logger, at: .now) {
      return (route, answer)
    }
    let decision = await rules.tokens.decide(route: route, fields: fields)
    return (decision == .routeUnknown ? "unknown" : route, RouteAnswer(decision))
  }

  /// The fields of a question, and as `:method` and `:path` its method and what it has after the route's name: Envoy asks
  /// with those of the client's request.
  private static func fields(_ request: Request) -> RequestFields {
    let (method, path, headers) = (request.method.rawValue, request.head.path ?? "", request.headers)
    return RequestFields { name in
      switch ExactString(name) {
      case ":method": [method]
      case ":path": [rest(of: path)]
      default: HTTPField.Name(name).map { headers[values: $0] } ?? []
      }
    }
  }

  /// The rest of the target after `/route/NAME`; a slash for nothing.
  private static func rest(of target: String) -> String {
    let parts = target.utf8.split(
      separator: UInt8(ascii: "/"), maxSplits: 3, omittingEmptySubsequences: false)
    // A slash of a query begins no path.
    guard parts.count == 4, !parts[2].contains(UInt8(ascii: "?")) else { return "/" }
    return "/" + String(Substring(parts[3]))
  }

  /// The second part of a path that begins with `/route/`.
  static func route(_ target: String) -> String? { Self.route(target, after: "route") }

  /// The second part of a path that begins with a name.
  static func route(_ target: String, after first: String) -> String? {
    let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
    let parts = path.split(separator: UInt8(ascii: "/"), maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[0].isEmpty, parts[1].elementsEqual(first.utf8), !parts[2].isEmpty else {
      return nil
    }
    return String(Substring(parts[2]))
  }

  /// The metadata of a protected resource, which the proxy passes on to clients.
  private func metadata(of route: String) -> Response {
    guard let document = rules.current.tokens.metadata(ofRoute: route) else {
      return Response(status: .notFound)
    }
    return Response(
      status: .ok, headers: [.contentType: "application/json", .cacheControl: "max-age=3600"],
      body: .init(byteBuffer: ByteBuffer(bytes: document)))
  }
}

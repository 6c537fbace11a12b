internal import CognitoIdentity
internal import HTTPTypes
internal import Hummingbird
internal import ServiceHosting
internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// Responds to the requests of the management address: health, readiness, version and metrics.
struct ManagementResponder: HTTPResponder {
  let readiness: ServiceReadiness
  let metrics: ServiceMetrics

  func respond(to request: Request, context: RequestSender) async throws -> Response {
    let target = request.head.path ?? ""
    let route = String(decoding: target.utf8.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
    guard request.method.rawValue == "GET", let path = ManagementPath(route) else {
      return Response(status: .notFound)
    }
    return respond(to: path)
  }

  func respond(to path: ManagementPath) -> Response {
    switch path {
    case .health:
      guard readiness.problem == nil else { return Response(status: .serviceUnavailable) }
      return .document(Array("ok\n".utf8), type: "text/plain")
    // The process answers; a problem of the store is not a reason to restart it.
    case .live: return Self.json(["status": "live"])
    case .ready:
      guard let problem = readiness.problem else { return Self.json(["status": "ready"]) }
      return Self.json(["status": "not ready", "reason": .string(problem)], .serviceUnavailable)
    case .version:
      return Self.json(["name": "identity-service", "version": .string(ProgramVersion.current)])
    case .metrics:
      return .document(Array(metrics.text().utf8), type: "text/plain; version=0.0.4")
    }
  }

  private static func json(_ object: JSONObject, _ status: HTTPResponse.Status = .ok) -> Response {
    .document(JSONWriter.write(object) + [UInt8(ascii: "\n")], type: "application/json", status: status)
  }
}

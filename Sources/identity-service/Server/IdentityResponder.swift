internal import CognitoIdentity
internal import TokenSecurityEncodings
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Synchronization

/// Routes requests. Paths are compared by their bytes.
struct IdentityResponder: HTTPResponder {
  let calls: CallHandler
  let service: IdentityPoolService
  let metrics: PrometheusText
  let limiter: RateLimiter
  /// The host in documents; nil for that of the request, and such documents must not be cached.
  let host: String?
  let scheme: String
  let health = HealthCheck()

  func respond(to request: Request, context: CallContext) async throws -> Response {
    let path = request.head.path ?? ""
    let route = String(decoding: path.utf8.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
    if route == "/", request.method.rawValue == "POST" { return await calls.respond(to: request, context) }
    let isHealth = route == "/health"
    guard limiter.allows(isHealth ? .health(context.address) : .documents(context.address)) else {
      return Response(status: .tooManyRequests, headers: [.retryAfter: "1", .cacheControl: "no-store"])
    }
    guard request.method.rawValue == "GET" else { return Response(status: .notFound) }
    switch route {
    case "/.well-known/jwks_uri", "/.well-known/jwks.json":
      // Cacheable, since a new key is published long before it signs.
      return Self.document(service.keys.keySet, type: "application/json", cache: "public, max-age=300")
    case "/.well-known/openid-configuration":
      return Self.document(
        service.discovery(base: "\(scheme)://\(host ?? request.head.authority ?? "localhost")"),
        type: "application/json", cache: host == nil ? "no-store" : "public, max-age=300")
    case "/health":
      guard health.passes(service) else { return Response(status: .serviceUnavailable) }
      return Self.document(Array("ok\n".utf8), type: "text/plain", cache: "no-store")
    case "/metrics":
      return Self.document(
        Array(metrics.text.utf8), type: "text/plain; version=0.0.4", cache: "no-store")
    default: return Response(status: .notFound)
    }
  }

  private static func document(_ body: [UInt8], type: String, cache: String) -> Response {
    var fields = HTTPFields()
    fields[.contentType] = type
    fields[.cacheControl] = cache
    return Response(status: .ok, headers: fields, body: .init(byteBuffer: ByteBuffer(bytes: body)))
  }
}

/// Checks that the store can be read, at most once a second.
final class HealthCheck: Sendable {
  private let last = Mutex<(at: ContinuousClock.Instant, passed: Bool)?>(nil)

  func passes(_ service: IdentityPoolService) -> Bool {
    last.withLock { last in
      if let last, ContinuousClock.now - last.at < .seconds(1) { return last.passed }
      let passed: Bool
      do throws(IdentityError) {
        _ = try service.store.read { rows throws(IdentityError) in try rows.signingKeys().count }
        passed = true
      } catch {
        passed = false
      }
      last = (ContinuousClock.now, passed)
      return passed
    }
  }
}

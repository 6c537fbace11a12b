internal import HTTPExchange
internal import HTTPTypes
internal import Hummingbird
internal import Metrics
internal import NIOCore
internal import ServiceHosting
internal import TokenSecurityBase

/// Routes requests of the public address. Paths are compared by their bytes.
struct IdentityResponder: HTTPResponder {
  let calls: CallHandler
  let limiter: RateLimiter
  let proxies: TrustedProxies
  let clients: ClientRequests
  let documents: PublicDocuments
  let management: ManagementResponder
  /// The paths of the management address that are served here too.
  let publicPaths: PublicPaths
  let crossOrigin: CrossOrigin
  private let conflicts = Counter(label: "identity_forwarded_conflicts_total")

  func respond(to request: Request, context peer: RequestSender) async throws -> Response {
    let context = peer.resolved(request.headers, proxies)
    if !context.isAgreed { conflicts.increment() }
    let path = request.head.path ?? ""
    let route = String(decoding: path.utf8.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
    // Health checks do not wait for anything, so that the proxy's own are not refused for its clients' calls.
    guard let proxied = peer.peer, proxies.contains(proxied), ManagementPath(route)?.isHealth != true else {
      return await respond(to: request, route, context)
    }
    guard clients.begin(context.address) else { return Self.refusal }
    defer { clients.end(context.address) }
    return await respond(to: request, route, context)
  }

  private nonisolated(nonsending) func respond(
    to request: Request, _ route: String, _ context: RequestSender
  ) async -> Response {
    if calls.serves(request.method.rawValue, path: route, target: request.head.path ?? "") {
      var response = await calls.respond(to: request, context)
      crossOrigin.expose(&response, to: request)
      return response
    }
    let path = ManagementPath(route)
    let isHealth = path.map { $0.isHealth } == true
    guard limiter.allows(isHealth ? .health(context.address) : .documents(context.address)) else {
      return Self.refusal
    }
    if let answer = crossOrigin.preflight(request) { return answer }
    guard request.method.rawValue == "GET" else { return Response(status: .notFound) }
    if var document = await documents.respond(to: request, route) {
      crossOrigin.expose(&document, to: request)
      return document
    }
    guard let path, publicPaths.contains(path, isLocal: context.isLocal(request.headers)) else {
      return Response(status: .notFound)
    }
    return management.respond(to: path)
  }

  private static var refusal: Response {
    Response(status: .tooManyRequests, headers: [.retryAfter: "1", .cacheControl: "no-store"])
  }
}

/// The paths of the management address that the public address serves.
struct PublicPaths: Sendable {
  private let paths: [ManagementPath]
  private let servesMetricsLocally: Bool

  /// Without a management address, `/health` is public, and `/metrics` is served to this machine unless a
  /// setting says that there is a proxy, whose requests would come from this machine too.
  init(_ configuration: ServiceConfiguration) {
    let hasManagement = configuration.managementAddress != nil
    paths = configuration.publicPaths.compactMap { ManagementPath($0) } + (hasManagement ? [] : [.health])
    servesMetricsLocally =
      !hasManagement && configuration.publicUrl == nil && configuration.trustedProxies.isEmpty
      && configuration.hosts.isEmpty
  }

  /// Returns true for a path that is served. `isLocal`: the client is this machine.
  func contains(_ path: ManagementPath, isLocal: Bool) -> Bool {
    paths.contains(path) || (path == .metrics && servesMetricsLocally && isLocal)
  }
}

extension Response {
  static func document(
    _ body: [UInt8], type: String, cache: String = "no-store", status: HTTPResponse.Status = .ok
  ) -> Response {
    var fields = HTTPFields()
    fields[.contentType] = type
    fields[.cacheControl] = cache
    return Response(status: status, headers: fields, body: .init(byteBuffer: ByteBuffer(bytes: body)))
  }
}

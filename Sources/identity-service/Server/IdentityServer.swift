internal import CognitoIdentity
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import HummingbirdTLS
internal import Logging
internal import NIOCore
internal import NIOSSL
internal import ServiceLifecycle

/// The HTTP face: its addresses, its limits, and what goes on beside the calls.
struct IdentityServer {
  let service: IdentityPoolService
  let configuration: ServiceConfiguration
  let metrics: PrometheusText
  let logger: Logger

  /// Serves until it is told to stop; then it ends what it has begun.
  ///
  /// - Parameter onRunning: told the address that it is reached by.
  func run(onRunning: @escaping @Sendable (String) async -> Void) async throws {
    try await service.keys.maintain()
    let handler = CallHandler(
      service: service, callers: try SignedCallers(service, hosts: configuration.hosts),
      limiter: RateLimiter(rate: configuration.rate), metrics: CallMetrics(), logger: logger)
    let scheme = configuration.certificate == nil ? "http" : "https"
    let host = configuration.address
    var settings = ApplicationConfiguration(
      address: .hostname(configuration.address, port: configuration.port), backlog: 1_024)
    settings.availableConnectionsDelegate = .maximum(configuration.connections, logger: logger)
    // Hummingbird's own log is of connections, not of calls.
    var quiet = logger
    quiet.logLevel = max(.warning, logger.logLevel)
    let application = Application(
      router: router(handler), server: try server(), configuration: settings,
      services: [KeyMaintenance(keys: service.keys, logger: logger)],
      onServerRunning: { channel in
        await onRunning("\(scheme)://\(host):\(channel.localAddress?.port ?? 0)")
      }, logger: quiet)
    try await application.runService()
    logger.notice("stopped")
  }

  private func router(_ handler: CallHandler) -> Router<CallContext> {
    let router = Router(context: CallContext.self)
    router.post("/") { request, context in await handler.answer(request, context) }
    let service = service
    let keys: @Sendable (Request, CallContext) async -> Response = { _, _ in
      // As long as a new key is published before it signs, a copy may be used.
      Self.document(service.keys.keySet, type: "application/json", cache: "public, max-age=300")
    }
    router.get("/.well-known/jwks_uri", use: keys)
    router.get("/.well-known/jwks.json", use: keys)
    let scheme = configuration.certificate == nil ? "http" : "https"
    // Under the name that the operator says; or else under the one that was asked for, which no cache may pass on.
    let name = configuration.hosts.first
    router.get("/.well-known/openid-configuration") { request, _ in
      Self.document(
        service.discovery(base: "\(scheme)://\(name ?? request.head.authority ?? "localhost")"),
        type: "application/json", cache: name == nil ? "no-store" : "public, max-age=300")
    }
    router.get("/health") { _, _ in
      do {
        _ = try service.store.read { rows throws(IdentityError) in try rows.signingKeys().count }
        return Self.document(Array("ok\n".utf8), type: "text/plain", cache: "no-store")
      } catch {
        return Response(status: .serviceUnavailable)
      }
    }
    let metrics = metrics
    router.get("/metrics") { _, _ in
      Self.document(Array(metrics.text.utf8), type: "text/plain; version=0.0.4", cache: "no-store")
    }
    return router
  }

  private static func document(_ body: [UInt8], type: String, cache: String) -> Response {
    var fields = HTTPFields()
    fields[.contentType] = type
    fields[.cacheControl] = cache
    return Response(status: .ok, headers: fields, body: .init(byteBuffer: ByteBuffer(bytes: body)))
  }

  private func server() throws -> HTTPServerBuilder {
    let requestTimeout = configuration.requestTimeout
    let plain = HTTPServerBuilder.http1(
      configuration: .init(
        additionalChannelHandlers: [RequestDeadline(seconds: requestTimeout)],
        idleTimeout: .seconds(Int64(configuration.idleTimeout)),
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: 32_768, maxHeaderListSize: 65_536, maxHeaderFieldCount: 100)))
    guard let certificate = configuration.certificate, let privateKey = configuration.privateKey else {
      return plain
    }
    let chain = try NIOSSLCertificate.fromPEMFile(certificate)
    guard !chain.isEmpty else { throw OperatingFault("there is no certificate in \(certificate)") }
    var tls = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) },
      privateKey: .privateKey(try NIOSSLPrivateKey(file: privateKey, format: .pem)))
    tls.minimumTLSVersion = .tlsv12
    return try .tls(plain, tlsConfiguration: tls)
  }
}

/// Keeps the signing keys: one more when its time comes, one less when its last token has expired.
private struct KeyMaintenance: Service {
  let keys: SigningKeyRing
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        try? await Task.sleep(for: .seconds(5))
        guard !Task.isCancelled else { return }
        let before = keys.schedule.map(\.keyID)
        do throws(IdentityError) {
          try await keys.maintain()
          let after = keys.schedule.map(\.keyID)
          if after != before { logger.notice("signing keys", metadata: ["keys": "\(after)"]) }
        } catch {
          logger.error(
            "signing keys not maintained", metadata: ["code": "\(error.codeName)", "reason": "\(error)"])
        }
      }
    }
  }
}

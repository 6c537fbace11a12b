internal import Foundation
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import NIOTLS
internal import Synchronization
internal import TokenSecurityTesting

/// A real HTTPS server on this machine with a self-signed certificate. Its responses are raw bytes: it can
/// hang, trickle and send wrong lengths.
final class TestServer: Sendable {
  /// The response to a request: parts that are written in order, and the end of the connection.
  struct Script: Sendable {
    var parts: [String] = []
    /// The delay before each part.
    var pause: Duration = .zero
    /// Whether the connection is closed after the last part.
    var closes = true

    /// A complete response.
    static func answer(
      _ body: String, status: String = "200 OK", type: String = "application/json", fields: [String] = []
    ) -> Script {
      let head = [
        "HTTP/1.1 \(status)", "Content-Type: \(type)", "Content-Length: \(body.utf8.count)",
        "Connection: close",
      ]
      return Script(parts: [(head + fields).joined(separator: "\r\n") + "\r\n\r\n" + body])
    }
  }

  private let channel: any Channel
  private let desk = Desk()
  /// The PEM file of its certificate, which only the test trusts.
  let certificate: String

  /// The protocol that TLS negotiated with each client; nil for none.
  var protocols: [String?] { desk.state.withLock { $0.protocols } }
  /// The `CONNECT` requests to a proxy.
  var tunnels: [String] { desk.state.withLock { $0.tunnels } }
  var port: Int { channel.localAddress?.port ?? 0 }

  /// The requested paths.
  var questions: [String] { desk.state.withLock { $0.questions } }
  var count: Int { questions.count }

  /// The requests with their bodies.
  var requests: [String] { desk.state.withLock { $0.requests } }
  /// Number of connections that have ended after a request.
  var ended: Int { desk.ended.value }

  /// Number of sent parts of responses.
  var sent: Int { desk.sent.value }

  /// The URL of `path`.
  func address(_ path: String) -> String { "https://localhost:\(port)\(path)" }

  /// Sets the response.
  func answer(_ script: @escaping @Sendable (_ path: String) -> Script) {
    desk.state.withLock { $0.script = script }
  }
  func answer(_ script: Script) { answer { _ in script } }

  /// Refuses tunnels with these bytes.
  func refuseTunnels(_ answer: String) { desk.state.withLock { $0.refusal = answer } }

  /// A server with a certificate for `names`.
  ///
  /// - Parameters:
  ///   - names: the names in the certificate.
  ///   - isProxy: whether clients open a tunnel first. Every tunnel ends at this server.
  /// - Throws: the error of the listener or of the certificate.
  init(names: String = "DNS:localhost,IP:127.0.0.1", isProxy: Bool = false) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    certificate = folder.appending(path: "certificate.pem").path()
    let key = folder.appending(path: "key.pem").path()
    _ = try await Program.run([
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
      "2", "-subj", "/CN=test", "-addext", "subjectAltName=\(names)", "-keyout", key, "-out", certificate,
    ])
    let chain = try NIOSSLCertificate.fromPEMFile(certificate).map { NIOSSLCertificateSource.certificate($0) }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain, privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
    // A client that offers HTTP/2 gets it, and cannot parse the response.
    configuration.applicationProtocols = ["h2", "http/1.1"]
    let context = try NIOSSLContext(configuration: configuration)
    let desk = self.desk
    channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          if isProxy {
            try channel.pipeline.syncOperations.addHandler(Tunnel(desk, context))
          } else {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
            try channel.pipeline.syncOperations.addHandler(Answerer(desk))
          }
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
  }
}

/// The server's responses and received requests.
private final class Desk: Sendable {
  struct State {
    var script: @Sendable (_ path: String) -> TestServer.Script = { _ in TestServer.Script() }
    var questions: [String] = []
    var requests: [String] = []
    var protocols: [String?] = []
    var tunnels: [String] = []
    var refusal: String?
  }

  let state = Mutex(State())
  let sent = Tally()
  let ended = Tally()
}

/// Opens a tunnel to this server.
private final class Tunnel: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let desk: Desk
  private let context: NIOSSLContext
  private var text = ""

  init(_ desk: Desk, _ context: NIOSSLContext) {
    self.desk = desk
    self.context = context
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var buffer = unwrapInboundIn(data)
    text += buffer.readString(length: buffer.readableBytes) ?? ""
    guard text.hasSuffix("\r\n\r\n") else { return }
    desk.state.withLock { $0.tunnels.append(text) }
    let refusal = desk.state.withLock { $0.refusal }
    let answer = refusal ?? "HTTP/1.1 200 OK\r\n\r\n"
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
    guard refusal == nil else {
      context.close(promise: nil)
      return
    }
    do {
      let pipeline = context.pipeline.syncOperations
      try pipeline.addHandler(NIOSSLServerHandler(context: self.context))
      try pipeline.addHandler(Answerer(desk))
      _ = pipeline.removeHandler(self)
    } catch {
      context.close(promise: nil)
    }
  }
}

/// Reads a request to its end and writes the response.
private final class Answerer: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let desk: Desk
  private var text = ""
  private var hasRequest = false

  init(_ desk: Desk) { self.desk = desk }

  func channelInactive(context: ChannelHandlerContext) {
    if hasRequest { desk.ended.add() }
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var buffer = unwrapInboundIn(data)
    text += buffer.readString(length: buffer.readableBytes) ?? ""
    guard let end = text.range(of: "\r\n\r\n") else { return }
    let fields = text[..<end.lowerBound].lowercased().split(separator: "\r\n")
    let length = fields.first { $0.hasPrefix("content-length: ") }.flatMap { Int($0.dropFirst(16)) } ?? 0
    guard text[end.upperBound...].utf8.count >= length else { return }
    let path = text.split(separator: " ").dropFirst().first.map(String.init) ?? ""
    let request = text
    text = ""
    hasRequest = true
    let script = desk.state.withLock { state in
      state.questions.append(path)
      state.requests.append(request)
      return state.script(path)
    }
    Self.play(script.parts[...], script, context.channel, desk.sent)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .handshakeCompleted(let negotiated)? = event as? TLSUserEvent {
      desk.state.withLock { $0.protocols.append(negotiated) }
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private static func play(
    _ parts: ArraySlice<String>, _ script: TestServer.Script, _ channel: any Channel, _ sent: Tally
  ) {
    guard let part = parts.first else {
      if script.closes { channel.close(promise: nil) }
      return
    }
    let delay = TimeAmount.nanoseconds(Int64(script.pause / .nanoseconds(1)))
    channel.eventLoop.scheduleTask(in: delay) {
      channel.writeAndFlush(ByteBuffer(string: part)).whenSuccess {
        sent.add()
        Self.play(parts.dropFirst(), script, channel, sent)
      }
    }
  }
}

internal import HTTPExchange
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import NIOEmbedded
internal import NIOPosix
@testable internal import ServiceHosting
internal import Testing
internal import TokenSecurityPlatform
internal import TokenSecurityTesting

/// Where a connection comes from, also when it was reset.
@Suite struct ConnectionPeerTests {
  private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  @Test func aRequestHasTheAddressOfAConnectionThatWasReset() async throws {
    let (senders, report) = AsyncStream.makeStream(of: RequestSender.self)
    let served = ServedChannel(
      responder: { _, _, channel in
        report.yield(RequestSender(source: .init(channel: channel, logger: Self.logger)))
        throw CancellationError()
      },
      limits: ConnectionLimits(requestTimeout: 600, responseTimeout: 600, idleTimeout: 600, bodyLimit: 1),
      connections: ConnectionTable(limit: 0), security: nil)
    let isRead = Gate()
    let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .bind(host: "127.0.0.1", port: 0) { channel in
        served.setup(channel: channel, logger: Self.logger).flatMapThrowing { value in
          try channel.pipeline.syncOperations.addHandler(FirstRead(opening: isRead), position: .first)
          return value
        }
      }
    let port = try #require(server.channel.localAddress?.port)
    try await server.executeThenClose { connections in
      let client = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .connect(host: "127.0.0.1", port: port).get()
      var iterator = connections.makeAsyncIterator()
      let connection = try #require(try await iterator.next())
      try await client.writeAndFlush(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"))
      await isRead.pass()
      let options = try #require(client as? any SocketOptionProvider)
      try await options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
      try await client.close()
      try await eventually { connection.channel.remoteAddress == nil }
      await served.handle(value: connection, logger: Self.logger)
    }
    report.finish()
    var iterator = senders.makeAsyncIterator()
    let sender = try #require(await iterator.next())
    #expect(sender.peer == IPAddress("127.0.0.1"[...]))
    #expect(sender.address == ClientAddress(IPAddress("127.0.0.1"[...])))
    #expect(sender.caller == "127.0.0.1")
  }

  /// A proxy's own requests, as its health checks, do not count together with those of clients whom it does not name.
  @Test func clientsThatAreNotNamedAreNotTheProxy() throws {
    let proxies = TrustedProxies([try #require(IPAddressRange("10.0.0.0/8"))])
    let channel = EmbeddedChannel()
    channel.remoteAddress = try SocketAddress(ipAddress: "10.1.1.1", port: 4_711)
    let peer = try #require(ConnectionPeer(accepted: channel))
    let sender = ConnectionPeer.$current.withValue(peer) {
      RequestSender(source: .init(channel: channel, logger: Self.logger))
    }
    let own = sender.resolved([:], proxies)
    #expect(own.address == ClientAddress(IPAddress("10.1.1.1"[...])) && own.isAgreed)
    let named = sender.resolved([.forwardedFor: "203.0.113.9"], proxies)
    #expect(named.address == ClientAddress(IPAddress("203.0.113.9"[...])) && named.caller == "203.0.113.9")
    let unnamed = ClientAddress(unnamedBehind: try #require(IPAddress("10.1.1.1"[...])))
    let contradicting = sender.resolved(
      [.forwardedFor: "203.0.113.9", .forwarded: "for=198.51.100.1"], proxies)
    #expect(contradicting.address == unnamed && contradicting.caller == "10.1.1.1" && !contradicting.isAgreed)
    let hidden = sender.resolved([.forwardedFor: "unknown"], proxies)
    #expect(hidden.address == unnamed && hidden.caller == "10.1.1.1" && hidden.isAgreed)
  }

  @Test func onlyUnixSocketsHaveNoAddress() throws {
    let channel = EmbeddedChannel()
    #expect(ConnectionPeer(accepted: channel) == nil)
    channel.localAddress = try SocketAddress(ipAddress: "192.0.2.1", port: 80)
    #expect(ConnectionPeer(accepted: channel) == nil)
    channel.remoteAddress = try SocketAddress(ipAddress: "2001:db8::1", port: 4_711)
    #expect(ConnectionPeer(accepted: channel)?.address == IPAddress("2001:db8::1"[...]))
    #expect(ConnectionPeer(accepted: channel)?.text == "2001:db8::1")
    channel.localAddress = try SocketAddress(unixDomainSocketPath: "/run/a.sock")
    for remote in [nil, try SocketAddress(unixDomainSocketPath: "")] {
      channel.remoteAddress = remote
      let peer = try #require(ConnectionPeer(accepted: channel))
      #expect(peer.address == nil && peer.text == "unknown")
    }
  }
}

/// Opens a gate when the first bytes come.
private final class FirstRead: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let gate: Gate

  init(opening gate: Gate) { self.gate = gate }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    context.fireChannelRead(data)
    gate.open()
  }
}

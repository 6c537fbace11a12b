internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1
internal import NIOSSL

/// Sets up a connection: TLS with a certificate, HTTP/1.1 and limits.
struct ServedChannel: HTTPChannelHandler {
  typealias Parts = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

  /// A connection; one that is refused has no peer.
  struct Value: ServerChildChannelValue {
    let parts: Parts
    let peer: ConnectionPeer?

    var channel: any Channel { parts.channel }
  }

  let responder: HTTPChannelHandler.Responder
  let limits: ConnectionLimits
  let connections: ConnectionTable
  /// The TLS settings of a new connection; nil for plain HTTP.
  let security: (@Sendable () -> NIOSSLContext)?

  /// The bytes of a connection's send buffer in the kernel.
  private static let sendBuffer: ChannelOptions.Types.SocketOption.Value = 262_144

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    let peer = ConnectionPeer(accepted: channel).flatMap { connections.add(channel, from: $0) ? $0 : nil }
    return channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      try pipeline.addHandler(ResponseDeadline(seconds: limits.responseTimeout))
      guard let peer else {
        try pipeline.addHandler(RefusedConnection())
        return Value(parts: try Parts(wrappingChannelSynchronously: channel), peer: nil)
      }
      try? channel.syncOptions?.setOption(ChannelOptions.socketOption(.so_sndbuf), value: Self.sendBuffer)
      let progress = RequestProgress(bodyLimit: limits.bodyLimit)
      if let security { try pipeline.addHandler(NIOSSLServerHandler(context: security())) }
      try pipeline.addHandler(RequestGate(seconds: limits.requestTimeout, progress: progress))
      var decoder = NIOHTTPDecoderLimitConfiguration()
      decoder.maxHeaderFieldSize = 32_768
      decoder.maxHeaderListSize = 65_536
      decoder.maxHeaderFieldCount = 100
      try pipeline.configureHTTPServerPipeline(
        withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
        withEncoderConfiguration: .init(), withDecoderLimitConfiguration: decoder)
      try pipeline.addHandler(RequestHeadCheck(progress: progress))
      try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
      try pipeline.addHandler(
        HTTPConnectionStateHandler(idleTimeout: .seconds(limits.idleTimeout), logger: logger))
      let parts = try Parts(
        wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
      return Value(parts: parts, peer: peer)
    }
  }

  func handle(value: Value, logger: Logger) async {
    await withTaskExecutorPreference(EventLoopExecutor(value.channel.eventLoop)) {
      guard let peer = value.peer else {
        await handleHTTP(asyncChannel: value.parts, logger: logger)
        return
      }
      await ConnectionPeer.$current.withValue(peer) {
        await handleHTTP(asyncChannel: value.parts, logger: logger)
      }
    }
  }
}

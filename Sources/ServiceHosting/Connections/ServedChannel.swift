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
  typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

  let responder: HTTPChannelHandler.Responder
  let limits: ConnectionLimits
  let connections: ConnectionTable
  /// The TLS settings of a new connection; nil for plain HTTP.
  let security: (@Sendable () -> NIOSSLContext)?

  /// The bytes of a connection's send buffer in the kernel.
  private static let sendBuffer: ChannelOptions.Types.SocketOption.Value = 262_144

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    let isAccepted = connections.add(channel)
    return channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      try pipeline.addHandler(ResponseDeadline(seconds: limits.responseTimeout))
      guard isAccepted else {
        try pipeline.addHandler(RefusedConnection())
        return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
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
      return try NIOAsyncChannel(
        wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
    }
  }

  func handle(value: Value, logger: Logger) async {
    await withTaskExecutorPreference(EventLoopExecutor(value.channel.eventLoop)) {
      await handleHTTP(asyncChannel: value, logger: logger)
    }
  }
}

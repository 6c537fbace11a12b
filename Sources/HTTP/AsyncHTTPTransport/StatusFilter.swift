internal import HTTPExchange
internal import NIOCore
internal import NIOHTTP1

/// Refuses a response whose status is not 100 to 599, and closes the connection.
///
/// async-http-client ignores a head with a status below 200 as that of an interim response. After a status
/// below 100 the parser ends the message, and the client traps at an end without a head: a server could stop
/// the process.
final class StatusFilter: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart

  private var hasRefused = false

  /// Adds a filter to a connection's pipeline, between the parser and the client.
  @Sendable static func add(to channel: any Channel) -> EventLoopFuture<Void> {
    channel.eventLoop.submit {
      let pipeline = channel.pipeline.syncOperations
      let parser = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
      try pipeline.addHandler(StatusFilter(), position: .after(parser))
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !hasRefused else { return }
    if case .head(let head) = unwrapInboundIn(data), !(100...599).contains(head.status.code) {
      hasRefused = true
      context.fireErrorCaught(TransportError.connection("the response's status is not 100 to 599"))
      context.close(promise: nil)
    } else {
      context.fireChannelRead(data)
    }
  }
}

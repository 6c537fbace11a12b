internal import NIOCore
internal import NIOHTTPTypes

/// Closes a connection whose request does not come whole in time: one that drips in holds nothing for long.
final class RequestDeadline: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

  private let time: TimeAmount
  private var deadline: Scheduled<Void>?
  private var isComing = false

  init(seconds: Int) { time = .seconds(Int64(seconds)) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head: isComing = true
    case .end: stop()
    case .body: break
    }
    context.fireChannelRead(data)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    // Nearly all requests come in one piece, and need no clock.
    if isComing, deadline == nil {
      let channel = context.channel
      deadline = context.eventLoop.scheduleTask(in: time) { channel.close(mode: .all, promise: nil) }
    }
    context.fireChannelReadComplete()
  }

  func channelInactive(context: ChannelHandlerContext) {
    stop()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { stop() }

  private func stop() {
    isComing = false
    deadline?.cancel()
    deadline = nil
  }
}

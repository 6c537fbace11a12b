internal import TokenSecurityPlatform
internal import NIOCore

/// Closes a connection whose client does not accept a response in time, and connections that are aborted.
///
/// This handler is next to the socket. A write completes when the kernel has accepted its bytes. The oldest
/// incomplete write must complete within one to two times the timeout.
final class ResponseDeadline: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  private let time: TimeAmount
  private var written: UInt64 = 0
  private var completed: UInt64 = 0
  private var mark: UInt64 = 0
  private var check: Scheduled<Void>?
  private var isClosed = false

  init(seconds: Int) { time = .seconds(Int64(seconds)) }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    written &+= 1
    let done = promise ?? context.eventLoop.makePromise(of: Void.self)
    done.futureResult.assumeIsolated().whenComplete { [self] _ in completed &+= 1 }
    context.write(data, promise: done)
  }

  func flush(context: ChannelHandlerContext) {
    context.flush()
    // Nearly all writes are complete here and need no timer.
    if completed != written, check == nil { schedule(context) }
  }

  private func schedule(_ context: ChannelHandlerContext) {
    guard !isClosed else { return }
    mark = written
    check = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
      check = nil
      if completed < mark {
        abort(context)
      } else if completed != written {
        schedule(context)
      }
    }
  }

  func triggerUserOutboundEvent(
    context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
  ) {
    guard event is AbortConnection else {
      context.triggerUserOutboundEvent(event, promise: promise)
      return
    }
    abort(context)
    promise?.succeed()
  }

  private func abort(_ context: ChannelHandlerContext) {
    guard !isClosed else { return }
    isClosed = true
    // Makes the kernel drop unsent bytes, which it would keep for minutes.
    _ = (context.channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
    context.close(mode: .all, promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    stop()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { stop() }

  private func stop() {
    isClosed = true
    check?.cancel()
    check = nil
  }
}

internal import NIOCore
internal import NIOHTTP1

/// The progress of a connection's request, shared by the handlers before and after the HTTP parser on one
/// event loop.
final class RequestProgress {
  /// Maximum size in bytes of a request without its body: head, chunk framing with extensions, and trailers.
  static let framingLimit = 131_072
  /// Maximum number of bytes of a body that are read. A body beyond the service's limit is read so that the
  /// client can read the response.
  let bodyLimit: Int

  /// Requests with a parsed head and without a complete response.
  var pending = 0
  /// True between a request's head and its end.
  var isReading = false
  /// True where the connection closes after the response to the last request.
  var isLast = false
  /// True where the last parsed bytes contained the end of a request.
  var hasEnded = false
  var rawBytes = 0
  var bodyBytes = 0
  /// True after an error: nothing more is read.
  var hasFailed = false
  /// Continues with bytes that waited for a response.
  var resume: (() -> Void)?

  init(bodyLimit: Int) { self.bodyLimit = bodyLimit }
}

/// Passes bytes to the HTTP parser, one request at a time, and closes the connection if a request takes too
/// long.
///
/// The time runs from the first byte of a request to its last; for the first request from the connection's
/// start, TLS handshake included. Until a response is written, bytes of the next request wait here and the
/// socket is not read.
final class RequestGate: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer

  /// The bytes that the parser gets at once, which bounds the requests that are parsed ahead.
  private static let slice = 4_096

  private let time: TimeAmount
  private let progress: RequestProgress
  private var deadline: Scheduled<Void>?
  private var waiting: ByteBuffer?
  private var isReadWanted = false
  private var isEndWaiting = false
  private var isPumping = false

  init(seconds: Int, progress: RequestProgress) {
    time = .seconds(Int64(seconds))
    self.progress = progress
  }

  func handlerAdded(context: ChannelHandlerContext) {
    progress.resume = { [weak self] in self?.pump(context) }
    start(context)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    if waiting == nil { waiting = bytes } else { waiting?.writeBuffer(&bytes) }
    forward(context)
  }

  func read(context: ChannelHandlerContext) {
    if waiting == nil { context.read() } else { isReadWanted = true }
  }

  /// Continues after a response was written.
  private func pump(_ context: ChannelHandlerContext) {
    guard waiting != nil || isEndWaiting else { return }
    forward(context)
    context.fireChannelReadComplete()
    guard waiting == nil else { return }
    if isEndWaiting {
      isEndWaiting = false
      context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }
    if isReadWanted {
      isReadWanted = false
      context.read()
    }
  }

  private func forward(_ context: ChannelHandlerContext) {
    // Reentered when a response is written while its request is parsed.
    guard !isPumping else { return }
    isPumping = true
    defer { isPumping = false }
    while !progress.hasFailed, progress.pending == 0 || progress.isReading, var bytes = waiting {
      guard let part = bytes.readSlice(length: min(Self.slice, bytes.readableBytes)) else { break }
      waiting = bytes.readableBytes > 0 ? bytes : nil
      progress.hasEnded = false
      progress.rawBytes += part.readableBytes
      context.fireChannelRead(wrapInboundOut(part))
      if progress.hasEnded { stop() } else { start(context) }
      check(context)
    }
    if progress.hasFailed { waiting = nil }
  }

  private func check(_ context: ChannelHandlerContext) {
    guard !progress.hasFailed else { return }
    if progress.bodyBytes > progress.bodyLimit {
      progress.hasFailed = true
      context.triggerUserOutboundEvent(AbortConnection(), promise: nil)
    } else if progress.rawBytes - progress.bodyBytes > RequestProgress.framingLimit {
      progress.hasFailed = true
      context.fireErrorCaught(HTTPParserError.headerOverflow)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? ChannelEvent, event == .inputClosed, waiting != nil {
      isEndWaiting = true
    } else {
      context.fireUserInboundEventTriggered(event)
    }
  }

  private func start(_ context: ChannelHandlerContext) {
    guard deadline == nil else { return }
    deadline = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
      context.triggerUserOutboundEvent(AbortConnection(), promise: nil)
    }
  }

  private func stop() {
    deadline?.cancel()
    deadline = nil
  }

  func channelInactive(context: ChannelHandlerContext) {
    stop()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    stop()
    waiting = nil
    progress.resume = nil
  }
}

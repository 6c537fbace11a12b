internal import NIOCore
internal import NIOHTTP1
internal import TokenSecurityBase

/// Tracks requests and responses after the HTTP parser, and refuses some heads that the parser accepts.
final class RequestHeadCheck: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let progress: RequestProgress

  init(progress: RequestProgress) { self.progress = progress }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !progress.hasFailed else { return }
    switch unwrapInboundIn(data) {
    case .head(let head):
      guard Self.isAccepted(head) else {
        progress.hasFailed = true
        // The server responds with 400 and closes the connection.
        context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
        return
      }
      progress.pending += 1
      progress.isReading = true
      progress.isLast = Self.isLast(head)
    case .body(let bytes): progress.bodyBytes += bytes.readableBytes
    case .end:
      progress.isReading = false
      progress.hasEnded = true
      progress.rawBytes = 0
      progress.bodyBytes = 0
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(var head) where progress.isLast:
      // Without it a proxy would send its next request into the connection (RFC 9112 section 9.6).
      head.headers.replaceOrAdd(name: "Connection", value: "close")
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .end:
      context.write(data, promise: promise)
      if progress.pending > 0 { progress.pending -= 1 }
      progress.resume?()
    default: context.write(data, promise: promise)
    }
  }

  /// True where the server closes the connection after the response: the client has asked for it.
  private static func isLast(_ head: HTTPRequestHead) -> Bool {
    let options = head.headers["Connection"]
    return options.count == 1 && options[0].isIdentical(to: "close")
  }

  /// Returns true for a head with one well-formed `Host` (RFC 9112 section 3.2), which is optional in HTTP/1.0, and
  /// without an encoding of its body whose end the parser does not find (section 6.1).
  private static func isAccepted(_ head: HTTPRequestHead) -> Bool {
    let encodings = head.headers["Transfer-Encoding"]
    if !encodings.isEmpty {
      let isChunked = encodings.count == 1 && encodings[0].isEqualIgnoringASCIICase(to: "chunked")
      guard isChunked, head.version.minor > 0 else { return false }
    }
    let hosts = head.headers["Host"]
    guard head.version.major == 1, hosts.count <= 1 else { return false }
    guard let host = hosts.first else { return head.version.minor == 0 }
    return HostName.isPlain(host)
  }
}

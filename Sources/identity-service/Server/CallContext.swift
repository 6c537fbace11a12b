internal import Hummingbird
internal import NIOCore

/// A request's surroundings: who is at the other end.
struct CallContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  private let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
  }

  /// The other end's address.
  var caller: String { channel.remoteAddress?.ipAddress ?? "unknown" }
}

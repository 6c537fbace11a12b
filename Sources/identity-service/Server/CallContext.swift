internal import Hummingbird
internal import NIOCore

/// The sender of a request.
struct CallContext: InitializableFromSource {
  /// The sender as limits count it.
  let address: ClientAddress
  /// The sender's address, for the log.
  let caller: String

  init(source: ApplicationRequestContextSource) {
    let remote = source.channel.remoteAddress?.ipAddress
    address = ClientAddress(remote)
    caller = remote ?? "unknown"
  }
}

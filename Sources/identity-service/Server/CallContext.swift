internal import Hummingbird
internal import NIOCore

/// What is known of a request besides the request: its sender.
struct CallContext: InitializableFromSource {
  /// What limits count the sender by.
  let address: ClientAddress
  /// The sender's address, for the log.
  let caller: String

  init(source: ApplicationRequestContextSource) {
    let remote = source.channel.remoteAddress?.ipAddress
    address = ClientAddress(remote)
    caller = remote ?? "unknown"
  }
}

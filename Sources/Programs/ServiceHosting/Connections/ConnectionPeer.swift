internal import HTTPExchange
package import NIOCore
package import TokenSecurityPlatform

/// Where a connection comes from, as it was when it was accepted.
///
/// A channel has no address once its client has reset the connection, and requests that it sent before are still served.
package struct ConnectionPeer: Sendable, Equatable {
  /// The network address; nil for a Unix socket.
  package let address: IPAddress?
  /// The address, for the log.
  package let text: String

  /// The peer of a Unix socket.
  private static let withoutAddress = ConnectionPeer(address: nil, text: "unknown")

  /// The peer of the connection whose requests this task serves.
  @TaskLocal static var current = withoutAddress

  private init(address: IPAddress?, text: String) {
    self.address = address
    self.text = text
  }

  /// The peer of a connection that was just accepted; nil where its client has reset it before. Without an address it would
  /// count as one client with all others of its kind.
  package init?(accepted channel: any Channel) {
    if let text = channel.remoteAddress?.ipAddress {
      guard let address = IPAddress(text[...]) else { return nil }
      self.init(address: address, text: text)
    } else {
      guard case .unixDomainSocket = channel.localAddress else { return nil }
      self = .withoutAddress
    }
  }
}

internal import TokenSecurityBase
package import TokenSecurityPlatform

/// A client as limits count it: an IPv4 address or an IPv6 /64 network, or all clients of a proxy that it does not name.
package struct ClientAddress: Hashable, Sendable {
  private let family: UInt8
  private let network: UInt64

  /// All connections without a network address, as one client.
  package static let unknown = ClientAddress(family: 0, network: 0)

  /// The bit of ``family`` for clients that a proxy does not name.
  private static let unnamed: UInt8 = 0x80

  private init(family: UInt8, network: UInt64) {
    self.family = family
    self.network = network
  }

  /// The family and the network: nine bytes that no other client has.
  package var bytes: [UInt8] {
    [family] + (0..<8).map { UInt8(truncatingIfNeeded: network >> (56 - 8 * UInt64($0))) }
  }

  /// All clients that the proxy with an address does not name, as one client. They are not the proxy, which makes requests of
  /// its own.
  package init(unnamedBehind proxy: IPAddress) {
    let own = ClientAddress(proxy)
    self.init(family: own.family | Self.unnamed, network: own.network)
  }

  /// The client with an address. An IPv4-mapped address (`::ffff:192.0.2.1`) counts as IPv4.
  package init(_ address: IPAddress?) {
    guard let bytes = address?.unmapped.bytes else {
      self = .unknown
      return
    }
    self = ClientAddress(
      family: bytes.count == 4 ? 4 : 6, network: UInt64(bigEndianBytes: bytes.prefix(8)))
  }
}

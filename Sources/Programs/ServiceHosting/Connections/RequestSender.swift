package import HTTPExchange
package import HTTPTypes
package import Hummingbird
package import TokenSecurityPlatform

/// The sender of a request.
package struct RequestSender: InitializableFromSource {
  /// The address of the connection.
  package let peer: IPAddress?
  /// The sender as limits count it.
  package private(set) var address: ClientAddress
  /// The sender's address, for the log.
  package private(set) var caller: String
  /// False where fields of a trusted proxy contradict each other.
  package private(set) var isAgreed = true

  package init(source: ApplicationRequestContextSource) {
    // Not the channel's, which has none once the connection was reset.
    let connected = ConnectionPeer.current
    peer = connected.address
    address = ClientAddress(peer)
    caller = connected.text
  }

  /// The context with the client of a request that came through a trusted proxy.
  package func resolved(_ fields: HTTPFields, _ proxies: TrustedProxies) -> RequestSender {
    guard let peer, proxies.contains(peer) else { return self }
    let client = proxies.client(
      of: peer, forwardedFor: fields[values: .forwardedFor], forwarded: fields[values: .forwarded])
    var context = self
    context.address =
      client.isNamed ? ClientAddress(client.address) : ClientAddress(unnamedBehind: client.address)
    context.caller = client.address.text
    context.isAgreed = client.isAgreed
    return context
  }

  /// True for a request of this machine that no proxy has marked.
  package func isLocal(_ fields: HTTPFields) -> Bool {
    peer?.unmapped.isLoopback == true
      && HTTPField.Name.marks.allSatisfy { !fields.contains($0) }
  }
}

extension HTTPField.Name {
  package static let forwardedFor = HTTPField.Name("X-Forwarded-For") ?? .via
  package static let forwarded = HTTPField.Name("Forwarded") ?? .via

  /// The fields by which a proxy can be recognized.
  fileprivate static let marks: [HTTPField.Name] =
    [forwardedFor, forwarded, .via]
    + ["X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP"].compactMap { HTTPField.Name($0) }
}

package import HTTPExchange
package import NIOCore
internal import Synchronization

/// The open connections, counted by address.
package final class ConnectionTable: Sendable {
  private struct State {
    var counts: [ClientAddress: Int] = [:]
    var channels: [ObjectIdentifier: any Channel] = [:]
    var isClosed = false
  }

  private let limit: Int
  private let proxies: TrustedProxies
  private let state = Mutex(State())

  /// Makes a table with a limit of connections per address, which does not apply to trusted proxies; 0: no
  /// limit.
  package init(limit: Int, proxies: TrustedProxies = TrustedProxies([])) {
    self.limit = limit
    self.proxies = proxies
  }

  /// The number of open connections.
  package var count: Int { state.withLock { $0.channels.count } }

  /// Adds a connection until it closes. Returns false where the peer's address has reached the limit.
  package func add(_ channel: any Channel, from peer: ConnectionPeer) -> Bool {
    let address = ClientAddress(peer.address)
    let limit = peer.address.map(proxies.contains) == true ? 0 : limit
    let id = ObjectIdentifier(channel)
    let isAdded = state.withLock { state in
      let count = state.counts[address, default: 0]
      guard !state.isClosed, limit == 0 || count < limit else { return false }
      state.counts[address] = count + 1
      state.channels[id] = channel
      return true
    }
    guard isAdded else { return false }
    channel.closeFuture.whenComplete { [self] _ in
      state.withLock { state in
        state.channels[id] = nil
        let count = state.counts[address, default: 1] - 1
        state.counts[address] = count > 0 ? count : nil
      }
    }
    return true
  }

  /// Closes all connections and accepts no more.
  ///
  /// - Returns: the number of connections.
  package func abortAll() -> Int {
    let channels = state.withLock { state in
      state.isClosed = true
      return Array(state.channels.values)
    }
    for channel in channels { channel.triggerUserOutboundEvent(AbortConnection(), promise: nil) }
    return channels.count
  }
}

/// An event that makes ``ResponseDeadline`` close a connection at once and drop unsent bytes.
struct AbortConnection: Sendable {}

/// Closes a connection that is not served, once it is active. An earlier error would end the listening socket's loop.
final class RefusedConnection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  func channelActive(context: ChannelHandlerContext) {
    context.triggerUserOutboundEvent(AbortConnection(), promise: nil)
  }
}

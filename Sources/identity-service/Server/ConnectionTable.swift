internal import NIOCore
internal import Synchronization

/// The open connections: how many each address has, and what closes all of them.
final class ConnectionTable: Sendable {
  private struct State {
    var counts: [ClientAddress: Int] = [:]
    var channels: [ObjectIdentifier: any Channel] = [:]
    var isClosed = false
  }

  private let limit: Int
  private let state = Mutex(State())

  /// A table that allows so many connections for one address; 0 for any number.
  init(limit: Int) { self.limit = limit }

  /// Adds a connection until it closes. False where its address has as many as it may have.
  func add(_ channel: any Channel) -> Bool {
    let address = ClientAddress(channel.remoteAddress?.ipAddress)
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

  /// Closes all connections, whatever they are doing, and accepts no more.
  ///
  /// - Returns: how many there were.
  func abortAll() -> Int {
    let channels = state.withLock { state in
      state.isClosed = true
      return Array(state.channels.values)
    }
    for channel in channels { channel.triggerUserOutboundEvent(AbortConnection(), promise: nil) }
    return channels.count
  }
}

/// Asks the outermost handler of a connection to close it without a farewell: what is unsent is dropped.
struct AbortConnection: Sendable {}

/// Closes a connection as soon as it is open. An error before that would end the listening socket's loop.
final class RefusedConnection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  func channelActive(context: ChannelHandlerContext) {
    context.triggerUserOutboundEvent(AbortConnection(), promise: nil)
  }
}

internal import HTTPExchange
internal import Synchronization

/// The requests in progress of clients behind trusted proxies.
///
/// The connections are the proxy's, so that the limit of connections per address applies to a client's
/// requests instead. At most as many clients are in the table as there are connections.
final class ClientRequests: Sendable {
  private let limit: Int
  private let counts = Mutex<[ClientAddress: Int]>([:])

  /// Makes a table with a limit of requests per client; 0: no limit.
  init(limit: Int) { self.limit = limit }

  /// Counts a request until ``end(_:)``. Returns false where the client has reached the limit.
  func begin(_ client: ClientAddress) -> Bool {
    counts.withLock { counts in
      let count = counts[client, default: 0]
      guard limit == 0 || count < limit else { return false }
      counts[client] = count + 1
      return true
    }
  }

  func end(_ client: ClientAddress) {
    counts.withLock { counts in
      let count = counts[client, default: 1] - 1
      counts[client] = count > 0 ? count : nil
    }
  }
}

internal import Hummingbird
internal import OpenIDConnect
internal import ServiceHosting

/// An address with its listener and, for a path, its socket.
struct Listening: Sendable {
  let address: ListenAddress
  let listener: HTTPListener
  let socket: ListeningSocket?

  /// - Parameters:
  ///   - address: the address.
  ///   - limits: the limits of a connection.
  ///   - capacity: the most connections.
  /// - Throws: `addressUnusable` for a path that is not free.
  init(_ address: ListenAddress, _ limits: ConnectionLimits, _ capacity: Int) throws(StartError) {
    self.address = address
    let bound: BindAddress
    switch address {
    case .socket(let path, let mode):
      let socket = try ListeningSocket(path: path, mode: mode)
      self.socket = socket
      bound = .unixDomainSocket(path: socket.boundPath)
    case .loopback(let host, let port):
      socket = nil
      bound = .hostname(host, port: port)
    }
    listener = HTTPListener(
      bound, limits: limits, connections: ConnectionTable(limit: 0), capacity: capacity)
  }
}

extension ListenAddress {
  /// The address as configurations have it.
  var text: String {
    switch self {
    case .socket(let path, _): "unix:\(path)"
    case .loopback(let host, let port):
      host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
  }
}

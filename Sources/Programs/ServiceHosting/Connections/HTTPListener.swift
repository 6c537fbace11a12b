package import Hummingbird
package import HummingbirdCore
package import Logging
package import NIOCore
internal import NIOPosix
package import NIOSSL
package import ServiceLifecycle
internal import TokenSecurityPlatform

/// A listening socket with the limits of its connections.
package struct HTTPListener: Sendable {
  package let address: BindAddress
  let limits: ConnectionLimits
  package let connections: ConnectionTable
  let security: (@Sendable () -> NIOSSLContext)?
  let capacity: Int
  /// The threads of the connections.
  package var group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton

  /// Describes a listener.
  ///
  /// - Parameters:
  ///   - address: what it binds.
  ///   - limits: the limits of a connection.
  ///   - connections: the open connections.
  ///   - security: the TLS settings of a new connection; nil for plain HTTP.
  ///   - capacity: the most connections; further ones wait in the system's queue.
  package init(
    _ address: BindAddress, limits: ConnectionLimits, connections: ConnectionTable,
    security: (@Sendable () -> NIOSSLContext)? = nil, capacity: Int
  ) {
    self.address = address
    self.limits = limits
    self.connections = connections
    self.security = security
    self.capacity = capacity
  }

  /// Makes the server.
  ///
  /// - Parameters:
  ///   - responder: responds to requests.
  ///   - logger: the log.
  ///   - onRunning: called after the address is bound and before the first response.
  /// - Returns: the server.
  package func application<Responder: HTTPResponder>(
    _ responder: Responder, logger: Logger,
    onRunning: @escaping @Sendable (any Channel) async -> Void
  ) -> Application<Responder> where Responder.Context == RequestSender {
    let server = HTTPServerBuilder { responder in
      ServedChannel(responder: responder, limits: limits, connections: connections, security: security)
    }
    var settings = ApplicationConfiguration(address: address, backlog: 1_024)
    settings.availableConnectionsDelegate = .maximum(capacity, logger: logger)
    return Application(
      responder: responder, server: server, configuration: settings,
      onServerRunning: onRunning, eventLoopGroupProvider: .shared(group), logger: logger)
  }

  /// Runs a server.
  ///
  /// - Parameters:
  ///   - server: the server.
  ///   - refusal: makes the error for an address that cannot be bound, of the reason.
  /// - Throws: that error.
  package func run(_ server: any Service, else refusal: (String) -> any Error) async throws {
    do { try await server.run() } catch let error as IOError {
      throw refusal(SystemError.text(of: error.errnoCode))
    } catch is SocketAddressError {
      throw refusal("the host has no address")
    }
  }
}

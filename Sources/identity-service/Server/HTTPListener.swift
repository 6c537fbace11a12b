internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle
internal import TokenSecurityPlatform

/// A listening socket with the limits of its connections.
struct HTTPListener: Sendable {
  let listener: ServiceConfiguration.Listener
  let limits: IdentityChannel.Limits
  let connections: ConnectionTable
  let certificates: ServerCertificates?
  /// The most connections; further ones wait in the system's queue.
  let capacity: Int
  /// The threads of the connections.
  var group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton

  /// Makes the server.
  ///
  /// - Parameters:
  ///   - responder: responds to requests.
  ///   - services: services that end after the last response.
  ///   - logger: the log.
  ///   - onRunning: called after the port is bound and before the first response.
  /// - Returns: the server.
  func application<Responder: HTTPResponder>(
    _ responder: Responder, services: [any Service] = [], logger: Logger,
    onRunning: @escaping @Sendable (any Channel) async -> Void
  ) -> Application<Responder> where Responder.Context == RequestSender {
    let server = HTTPServerBuilder { responder in
      IdentityChannel(
        responder: responder, limits: limits, connections: connections, certificates: certificates)
    }
    var settings = ApplicationConfiguration(
      address: .hostname(listener.host, port: listener.port), backlog: 1_024)
    settings.availableConnectionsDelegate = .maximum(capacity, logger: logger)
    return Application(
      responder: responder, server: server, configuration: settings, services: services,
      onServerRunning: onRunning, eventLoopGroupProvider: .shared(group), logger: logger)
  }

  /// Runs a server.
  ///
  /// - Throws: `OperatingError` for an address that cannot be bound.
  func run(_ server: any Service) async throws {
    do { try await server.run() } catch let error as IOError {
      throw listener.refusal(SystemError.text(of: error.errnoCode))
    } catch is SocketAddressError {
      throw listener.refusal("the host has no address")
    }
  }
}

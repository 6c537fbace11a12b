internal import NIOCore
internal import TokenSecurityPlatform

extension ServiceConfiguration {
  /// Checks that the addresses can be bound, before anything is made: a start that fails leaves no data.
  ///
  /// - Throws: `OperatingError` for an address that cannot be bound.
  func checkAddresses() throws {
    try Listener(host: self.address, port: self.port).checkIsFree()
    try managementListener()?.checkIsFree()
  }
}

extension ServiceConfiguration.Listener {
  /// Binds the address for a moment, without listening: clients are not connected.
  ///
  /// - Throws: `OperatingError`.
  fileprivate func checkIsFree() throws {
    let found: SocketAddress
    do { found = try SocketAddress.makeAddressResolvingHost(host, port: port) } catch {
      throw refusal("the host has no address")
    }
    let family: Int32
    switch found {
    case .v4: family = AF_INET
    case .v6: family = AF_INET6
    case .unixDomainSocket: return
    }
    let file = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard file >= 0 else { throw refusal(SystemError.text) }
    defer { close(file) }
    // As the listener sets it: connections of an earlier process may not have ended.
    var isReused: Int32 = 1
    unsafe setsockopt(
      file, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
    let isBound = unsafe found.withSockAddr { address, size in
      unsafe bind(file, address, socklen_t(size)) == 0
    }
    guard isBound else { throw refusal(SystemError.text) }
  }

  /// The error of an address that cannot be bound.
  func refusal(_ reason: String) -> OperatingError {
    OperatingError("cannot listen on \(Self.text(host, port)): \(reason)")
  }
}

internal import Foundation

/// A port of 127.0.0.1 at which nothing listens: connections to it are refused. Nobody else gets it while this lives.
public final class ClosedPort: Sendable {
  private let descriptor: Int32
  /// The port's number.
  public let number: Int

  /// Takes a port without listening at it.
  ///
  /// - Throws: the error of the system.
  public init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        let status = unsafe bind(descriptor, pointer, size)
        return status == 0 ? unsafe getsockname(descriptor, pointer, &size) : status
      }
    }
    number = Int(UInt16(bigEndian: address.sin_port))
    if status != 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  deinit { close(descriptor) }
}

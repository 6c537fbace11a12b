internal import TokenSecurityPlatform

/// The file of a Unix socket.
struct SocketFile: Sendable {
  let path: String
  let mode: UInt32

  /// Removes the socket of a process that ended without doing so. One that a process listens on stays, and so does a file
  /// of another kind: then the address cannot be bound.
  func removeLeftOver() {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK, !isListenedOn() else {
      return
    }
    unsafe unlink(path)
  }

  /// Gives the file its mode.
  ///
  /// - Returns: false where the system refuses it.
  func setMode() -> Bool { unsafe chmod(path, mode_t(mode)) == 0 }

  private func isListenedOn() -> Bool {
    let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard file >= 0 else { return true }
    defer { close(file) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let capacity = unsafe MemoryLayout.size(ofValue: address.sun_path)
    guard bytes.count < capacity else { return true }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
      unsafe place.copyBytes(from: bytes)
    }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(file, $0, size) == 0 }
    }
    return isConnected || errno != ECONNREFUSED
  }
}

internal import TokenSecurityPlatform

/// The file of a Unix socket.
struct SocketFile: Sendable {
  let path: String
  let mode: UInt32

  /// Makes the path free: removes the socket of a process that ended without doing so. A rename would also replace one that a
  /// process listens on, and any other file.
  ///
  /// - Throws: `addressUnusable` for these.
  func makeFree() throws(StartError) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return }
    func refusal(_ reason: String) -> StartError { .addressUnusable("unix:\(path)", reason: reason) }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw refusal("there is a file that is no socket") }
    if let reason = reasonNotAbandoned() { throw refusal(reason) }
    guard unsafe unlink(path) == 0 else { throw refusal(SystemError.text) }
  }

  /// Why the socket is not one of a process that ended; nil if it is.
  private func reasonNotAbandoned() -> String? {
    let file = socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard file >= 0 else { return SystemError.text }
    defer { close(file) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    guard bytes.count < capacity else { return "the path is too long" }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { destination in
      unsafe destination.copyBytes(from: bytes)
    }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(file, $0, size) == 0 }
    }
    if isConnected { return "another process listens on it" }
    return errno == ECONNREFUSED ? nil : "there is a socket that cannot be tried: \(SystemError.text)"
  }
}

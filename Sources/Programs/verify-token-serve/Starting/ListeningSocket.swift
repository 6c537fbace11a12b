internal import Synchronization
internal import TokenSecurityPlatform

/// The Unix socket of an address. The server binds it under another name; one rename puts it at its path, so that no
/// process connects before. It is removed only while it is this process's.
///
/// A file beside the socket, `PATH.lock`, is locked while a process looks whether the path is free, puts its socket there, or
/// removes it. Other users cannot open the file.
final class ListeningSocket: Sendable {
  /// Where the server binds it. The server removes this name when it closes the socket, which has another one by then.
  let boundPath: String
  private let file: SocketFile
  private let state: Mutex<State>

  private struct State: Sendable {
    var lock: FileLock?
    /// The published socket, open, so that no other file gets its inode.
    var own: Int32 = -1
    var isRemoved = false
  }

  /// Prepares the path. Waits at most five seconds for another process that starts.
  ///
  /// - Throws: `addressUnusable` where the path is not free or cannot be locked.
  init(path: String, mode: UInt32) throws(StartError) {
    file = SocketFile(path: path, mode: mode)
    // By bytes: a name may begin with a combining character.
    let folder =
      path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(Substring(path.utf8[...$0])) } ?? "./"
    // Random: a process that ends removes its name later, when the next one may have bound its socket.
    boundPath = folder + "." + String(UInt32.random(in: 0x1000_0000...0x7FFF_FFFF), radix: 36)
    guard FileStatus(path: folder) != nil else {
      throw .addressUnusable("unix:\(path)", reason: "its folder cannot be used: \(SystemError.text)")
    }
    do throws(PrivateFile.Failure) {
      state = Mutex(State(lock: try FileLock("\(path).lock", attempts: 500)))
    } catch {
      throw .addressUnusable("unix:\(path)", reason: error.reason)
    }
    try file.makeFree()
  }

  /// Gives the bound socket its mode and its path, unless ``remove()`` was called before.
  ///
  /// - Returns: false if it was.
  /// - Throws: `addressUnusable`.
  func publish() throws(StartError) -> Bool {
    let (isPublished, reason) = state.withLock { state -> (Bool, String?) in
      defer { state.lock = nil }
      guard !state.isRemoved else { return (false, nil) }
      guard unsafe chmod(boundPath, mode_t(file.mode)) == 0, unsafe rename(boundPath, file.path) == 0 else {
        return (false, SystemError.text)
      }
      state.own = unsafe open(file.path, Descriptor.pathOnly | O_NOFOLLOW | O_CLOEXEC)
      return (true, nil)
    }
    if let reason { throw .addressUnusable("unix:\(file.path)", reason: reason) }
    return isPublished
  }

  /// Removes the socket before the server closes it, unless another one has its path. Where a process starts that has
  /// found this socket, it stays, and the next process removes it.
  func remove() {
    let own = state.withLock { state in
      defer { state.own = -1 }
      state.isRemoved = true
      return state.own
    }
    guard own >= 0 else { return }
    defer { close(own) }
    guard let lock = try? FileLock("\(file.path).lock", attempts: 10) else { return }
    defer { withExtendedLifetime(lock) {} }
    guard let mine = FileStatus(own), FileStatus(path: file.path)?.isSameFile(as: mine) == true else {
      return
    }
    unsafe unlink(file.path)
  }
}

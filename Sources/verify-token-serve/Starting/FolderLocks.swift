internal import Synchronization
internal import TokenSecurityEncodings
internal import TokenSecurityPlatform

/// Locks of the folders of Unix sockets, held until this process listens, so that two processes that start at the same time do
/// not both find a path free.
final class FolderLocks: Sendable {
  /// The open folders by their paths.
  private let folders = Mutex<[ExactString: Int32]>([:])
  private let awaited: Mutex<Int>

  /// - Parameter addresses: how many addresses this process will listen on.
  init(addresses: Int) { awaited = Mutex(addresses) }

  /// Locks the folder of a socket. Waits at most five seconds for another process.
  ///
  /// - Throws: `addressUnusable` if the folder cannot be locked.
  func lock(folderOf path: String) throws(StartError) {
    let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.utf8.startIndex
    let folder = end == path.utf8.startIndex ? "/" : String(Substring(path.utf8[..<end]))
    guard folders.withLock({ $0[ExactString(folder)] }) == nil else { return }
    func refusal(_ reason: String) -> StartError { .addressUnusable("unix:\(path)", reason: reason) }
    let opened = unsafe open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard opened >= 0 else { throw refusal(SystemError.text) }
    for _ in 0..<100 {
      if flock(opened, LOCK_EX | LOCK_NB) == 0 {
        folders.withLock { $0[ExactString(folder)] = opened }
        return
      }
      usleep(50_000)
    }
    close(opened)
    throw refusal("another process has locked its folder")
  }

  /// Notes that this process listens on one more address. After the last one, the folders are unlocked.
  func noteListening() {
    let isLast = awaited.withLock { awaited in
      awaited -= 1
      return awaited == 0
    }
    guard isLast else { return }
    folders.withLock { folders in
      for (_, folder) in folders { close(folder) }
      folders = [:]
    }
  }
}

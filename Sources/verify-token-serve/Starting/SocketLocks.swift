internal import Synchronization
internal import TokenSecurityPlatform

/// Locks of Unix sockets, held until this process listens, so that two processes that start at the same time do not both find a
/// path free. The lock is on a file beside the socket, `PATH.lock`, which other users cannot open.
final class SocketLocks: Sendable {
  private let locks = Mutex<[FileLock]>([])
  private let awaited: Mutex<Int>

  /// - Parameter addresses: how many addresses this process will listen on.
  init(addresses: Int) { awaited = Mutex(addresses) }

  /// Locks a socket. Waits at most five seconds for another process.
  ///
  /// - Throws: `addressUnusable` if it cannot be locked.
  func lock(_ path: String) throws(StartError) {
    do throws(PrivateFile.Failure) {
      let lock = try FileLock("\(path).lock", attempts: 500)
      locks.withLock { $0.append(lock) }
    } catch {
      throw .addressUnusable("unix:\(path)", reason: error.reason)
    }
  }

  /// Notes that this process listens on one more address. After the last one, the sockets are unlocked.
  func noteListening() {
    let isLast = awaited.withLock { awaited in
      awaited -= 1
      return awaited == 0
    }
    if isLast { locks.withLock { $0 = [] } }
  }
}

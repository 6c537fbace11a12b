internal import CTokenSecurityOpenSSL
internal import Synchronization
internal import TokenSecurityPlatform

/// Uses of libcrypto by threads that a program does not end: those that parse fetched keys, and make spare ones.
///
/// libcrypto frees its memory when a process exits, while such a thread may still run: the process would end with SIGSEGV, its
/// work done. The exit waits for uses in progress, at most a second, and a use that would begin after that never does. It does
/// not matter who has initialised libcrypto.
package enum BackgroundUse {
  private static let inProgress = Atomic<Int>(0)
  private static let ending = Atomic(false)
  private static let isRegistered = Atomic(false)
  /// Milliseconds that an exit waits. A fork during a use leaves its child a count that never falls.
  private static let patience = 1_000

  /// Whether the process exits.
  package static var isEnding: Bool { ending.load(ordering: .sequentiallyConsistent) }

  /// Runs a function that uses libcrypto. It must not wait for anything.
  package static func run<R, E: Error>(_ use: () throws(E) -> R) throws(E) -> R {
    register()
    inProgress.add(1, ordering: .sequentiallyConsistent)
    if isEnding {
      inProgress.subtract(1, ordering: .sequentiallyConsistent)
      // The process ends within the next milliseconds.
      while true { usleep(1_000_000) }
    }
    defer { inProgress.subtract(1, ordering: .sequentiallyConsistent) }
    return try use()
  }

  /// Two threads may both register the handler: then it runs twice.
  private static func register() {
    guard !isRegistered.load(ordering: .acquiring) else { return }
    // Handlers run before anything is freed. Where libcrypto was never initialised, nothing is, and they do not run.
    OPENSSL_atexit { BackgroundUse.waitForAll() }
    isRegistered.store(true, ordering: .releasing)
  }

  private static func waitForAll() {
    ending.store(true, ordering: .sequentiallyConsistent)
    for _ in 0..<patience {
      guard inProgress.load(ordering: .sequentiallyConsistent) > 0 else { return }
      usleep(1_000)
    }
  }
}

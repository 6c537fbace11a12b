internal import Synchronization
internal import TokenSecurityPlatform

/// SIGHUP before the service that reloads is there. Without this, a reload shortly after the start would end the process.
package enum EarlyReload {
  private static let flag = Atomic<Bool>(false)

  /// Notes the signal from now on, until another handler replaces this one.
  package static func begin() {
    _ = isAsked
    signal(SIGHUP) { _ in EarlyReload.flag.store(true, ordering: .relaxed) }
  }

  /// Whether the signal has come.
  package static var isAsked: Bool { flag.load(ordering: .relaxed) }
}

internal import Synchronization

/// Bounds how many passwords of one user are checked at a time. Others wait, up to a limit.
///
/// A wrong password is counted before its check leaves the gate. While the power of a right one is computed,
/// therefore, at most as many others are checked and not counted yet as the gate admits.
package final class CheckGate: Sendable {
  /// The most checks of a user that run at a time on a node.
  package static let running = 8
  /// The most checks of a user that wait.
  package static let waiting = 64

  private struct Line {
    var running = 0
    var waiters: [CheckedContinuation<Bool, Never>] = []
  }

  /// Only users whose passwords are being checked.
  private let lines = Mutex<[[UInt8]: Line]>([:])

  package init() {}

  /// Takes a place for a check, waiting for one.
  ///
  /// - Parameter key: the user, or the unknown name.
  /// - Returns: true if the caller has a place, which it must ``leave(_:)``; false where too many wait.
  package func enter(_ key: [UInt8]) async -> Bool {
    await withCheckedContinuation { continuation in
      let isDecided = lines.withLock { lines -> Bool? in
        var line = lines[key] ?? Line()
        defer { lines[key] = line }
        if line.running < Self.running {
          line.running += 1
          return true
        }
        guard line.waiters.count < Self.waiting else { return false }
        line.waiters.append(continuation)
        return nil
      }
      if let isDecided { continuation.resume(returning: isDecided) }
    }
  }

  /// Gives a place back, to the check that has waited longest.
  package func leave(_ key: [UInt8]) {
    let next = lines.withLock { lines -> CheckedContinuation<Bool, Never>? in
      guard var line = lines[key] else { return nil }
      let next = line.waiters.isEmpty ? nil : line.waiters.removeFirst()
      if next == nil { line.running -= 1 }
      lines[key] = line.running > 0 ? line : nil
      return next
    }
    next?.resume(returning: true)
  }
}

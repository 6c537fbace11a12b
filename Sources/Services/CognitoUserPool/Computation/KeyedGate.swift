internal import HTTPExchange
internal import Synchronization

/// Bounds how many pieces of work run at a time for each key. Others wait, up to a limit.
package final class KeyedGate<Key: Hashable & Sendable>: Sendable {
  /// Maximum number of pieces of work of a key that run at a time on a node.
  package let running: Int
  /// Maximum number of pieces of work of a key that wait.
  package let waiting: Int

  private struct Line {
    var running = 0
    var waiters: [(number: UInt64, continuation: CheckedContinuation<Bool, Never>)] = []
  }

  private struct State {
    /// Only keys with work.
    var lines: [Key: Line] = [:]
    var number: UInt64 = 0
  }

  private let state = Mutex(State())

  /// Creates a gate.
  ///
  /// - Parameters:
  ///   - running: the most pieces of work of a key that run at a time.
  ///   - waiting: the most pieces of work of a key that wait.
  package init(running: Int, waiting: Int) {
    self.running = running
    self.waiting = waiting
  }

  /// Takes a slot, waiting for one.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - patience: how long to wait at most. Default: no limit.
  ///   - timers: the clock that measures the wait. Default: the system's.
  /// - Returns: true if the caller has a slot, which it must ``leave(_:)``; false where too many wait, or after the
  ///   time.
  package func enter(
    _ key: Key, within patience: Duration? = nil, timers: any Clock<Duration> = ContinuousClock()
  ) async -> Bool {
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    let timer = patience.map { patience in
      Task.detached {
        // A cancelled sleep ends at once; the caller has its slot by then.
        guard (try? await timers.sleep(for: TimeLimit.bounded(patience))) != nil else { return }
        self.giveUp(number, key)
      }
    }
    defer { timer?.cancel() }
    return await withCheckedContinuation { continuation in
      let isDecided = state.withLock { state -> Bool? in
        var line = state.lines[key] ?? Line()
        defer { state.lines[key] = line }
        if line.running < running {
          line.running += 1
          return true
        }
        guard line.waiters.count < waiting else { return false }
        line.waiters.append((number, continuation))
        return nil
      }
      if let isDecided { continuation.resume(returning: isDecided) }
    }
  }

  /// Gives a slot back, to the caller that has waited longest.
  package func leave(_ key: Key) {
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard var line = state.lines[key] else { return nil }
      let next = line.waiters.isEmpty ? nil : line.waiters.removeFirst().continuation
      if next == nil { line.running -= 1 }
      state.lines[key] = line.running > 0 ? line : nil
      return next
    }
    next?.resume(returning: true)
  }

  private func giveUp(_ number: UInt64, _ key: Key) {
    let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard let index = state.lines[key]?.waiters.firstIndex(where: { $0.number == number }) else {
        return nil
      }
      return state.lines[key]?.waiters.remove(at: index).continuation
    }
    waiter?.resume(returning: false)
  }
}

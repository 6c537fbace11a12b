internal import HTTPExchange
internal import Synchronization
internal import TokenSecurityEncodings

/// Bounds the calls that run at a time, for each function. Others wait, up to a limit.
final class HookGate: Sendable {
  /// The most calls of a function that run at a time.
  static let running = 64
  /// The most calls of a function that wait.
  static let waiting = 256

  private struct Line {
    var running = 0
    var waiters: [(number: UInt64, continuation: CheckedContinuation<Bool, Never>)] = []
  }

  private struct State {
    /// Only functions with calls.
    var lines: [ExactString: Line] = [:]
    var number: UInt64 = 0
  }

  private let state = Mutex(State())

  /// Takes a place for a call, waiting for one at most `patience`.
  ///
  /// - Returns: true if the caller has a place, which it must ``leave(_:)``.
  func enter(_ function: String, within patience: Duration) async -> Bool {
    let key = ExactString(function)
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    let timer = Task.detached {
      // A cancelled sleep ends at once; the call has its place by then.
      guard (try? await Task.sleep(for: Deadline.bounded(patience))) != nil else { return }
      self.giveUp(number, key)
    }
    defer { timer.cancel() }
    return await withCheckedContinuation { continuation in
      let isDecided = state.withLock { state -> Bool? in
        var line = state.lines[key] ?? Line()
        defer { state.lines[key] = line }
        if line.running < Self.running {
          line.running += 1
          return true
        }
        guard line.waiters.count < Self.waiting else { return false }
        line.waiters.append((number, continuation))
        return nil
      }
      if let isDecided { continuation.resume(returning: isDecided) }
    }
  }

  /// Gives a place back, to the call that has waited longest.
  func leave(_ function: String) {
    let key = ExactString(function)
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard var line = state.lines[key] else { return nil }
      let next = line.waiters.isEmpty ? nil : line.waiters.removeFirst().continuation
      if next == nil { line.running -= 1 }
      state.lines[key] = line.running > 0 ? line : nil
      return next
    }
    next?.resume(returning: true)
  }

  private func giveUp(_ number: UInt64, _ key: ExactString) {
    let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard let index = state.lines[key]?.waiters.firstIndex(where: { $0.number == number }) else {
        return nil
      }
      return state.lines[key]?.waiters.remove(at: index).continuation
    }
    waiter?.resume(returning: false)
  }
}

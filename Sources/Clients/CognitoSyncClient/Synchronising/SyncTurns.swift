internal import TokenSecurityBase

/// One synchronisation of a data set at a time; the next one begins when it has ended.
actor SyncTurns {
  private struct Waiter {
    let number: Int
    let continuation: CheckedContinuation<Bool, Never>
  }

  /// Those that wait, for each data set that is being synchronised.
  private var waiting: [ExactString: [Waiter]] = [:]
  private var number = 0

  /// Waits for the turn.
  ///
  /// - Parameter name: the data set's name.
  /// - Returns: false where the task was cancelled while it waited: it has no turn, and ends none.
  func begin(_ name: ExactString) async -> Bool {
    guard waiting[name] != nil else {
      waiting[name] = []
      return true
    }
    number += 1
    let own = number
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard !Task.isCancelled else {
          continuation.resume(returning: false)
          return
        }
        waiting[name, default: []].append(Waiter(number: own, continuation: continuation))
      }
    } onCancel: {
      Task { await self.leave(name, own) }
    }
  }

  func end(_ name: ExactString) {
    guard var others = waiting[name], !others.isEmpty else {
      waiting[name] = nil
      return
    }
    let next = others.removeFirst()
    waiting[name] = others
    next.continuation.resume(returning: true)
  }

  private func leave(_ name: ExactString, _ number: Int) {
    guard let index = waiting[name]?.firstIndex(where: { $0.number == number }) else { return }
    waiting[name]?.remove(at: index).continuation.resume(returning: false)
  }
}

internal import Dispatch
internal import Synchronization

/// Waits on the caller's thread for a task.
enum Waiting {
  /// Runs a task and waits for it.
  ///
  /// - Parameters:
  ///   - milliseconds: how long to wait.
  ///   - body: the task. It is cancelled when the time is over.
  /// - Returns: its result; nil if the time is over.
  static func result<Value: Sendable, Failure: Error>(
    within milliseconds: UInt32, _ body: @escaping @Sendable () async throws(Failure) -> Value
  ) -> Result<Value, Failure>? {
    let place = Place<Result<Value, Failure>>()
    let task = Task {
      do throws(Failure) { place.put(.success(try await body())) } catch { place.put(.failure(error)) }
    }
    guard let result = place.take(within: milliseconds) else {
      task.cancel()
      return nil
    }
    return result
  }

  private final class Place<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func put(_ new: Value) {
      value.withLock { $0 = new }
      isThere.signal()
    }

    func take(within milliseconds: UInt32) -> Value? {
      _ = isThere.wait(timeout: .now() + .milliseconds(Int(milliseconds)))
      return value.withLock { $0 }
    }
  }
}

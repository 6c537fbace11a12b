internal import Dispatch
internal import Synchronization

/// Waits for asynchronous work.
enum Blocking {
  private final class Box<R: Sendable, E: Error>: Sendable {
    let result = Mutex<Result<R, E>?>(nil)
    let done = DispatchSemaphore(value: 0)
  }

  /// Runs `work` and blocks the calling thread until it ends.
  static func run<R: Sendable, E: Error>(
    _ work: @escaping @Sendable () async throws(E) -> R
  ) throws(E) -> R {
    let box = Box<R, E>()
    Task.detached {
      let result: Result<R, E>
      do throws(E) { result = .success(try await work()) } catch { result = .failure(error) }
      box.result.withLock { $0 = result }
      box.done.signal()
    }
    while true {
      box.done.wait()
      if let result = box.result.withLock({ $0 }) { return try result.get() }
    }
  }
}

internal import Dispatch

/// A thread for reading fetched documents.
enum ReadingThread {
  /// Runs `work` on a thread outside of the pool that all asynchronous work shares: reading a fetched document must not
  /// block that pool. One piece of work runs at a time.
  static func run<R: Sendable>(_ work: @escaping @Sendable () -> R) async -> R {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: work()) }
    }
  }

  private static let queue = DispatchQueue(label: "OpenIDConnect.reading")
}

internal import Dispatch
internal import TokenSecurityCrypto

/// Parses fetched documents on a thread of its own, so that a large document does not block Swift's thread
/// pool.
enum ParsingQueue {
  /// Runs `work` on the queue, one piece of work at a time.
  static func run<R: Sendable>(_ work: @escaping @Sendable () -> R) async -> R {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: BackgroundUse.run(work)) }
    }
  }

  private static let queue = DispatchQueue(label: "OpenIDConnect.parsing")
}

internal import Records
internal import Synchronization

/// A call that waits for a connection, or runs on one.
protocol ServerJob: AnyObject, Sendable {
  /// When the call fails if it still waits.
  var deadline: Deadline { get }
  /// Runs the call on a connection, and returns whether it has finished. If the connection is lost, the call
  /// goes on with another one.
  func run(_ connection: ServerConnection) -> JobStep
  /// Ends a call that waits.
  func fail(_ error: RecordStoreError)
}

/// Result of a call on a connection.
enum JobStep: Sendable {
  case finished
  case lostConnection
}

/// The caller of a job, who is answered once.
final class JobCaller<Value: Sendable>: Sendable {
  typealias Continuation = CheckedContinuation<Result<Value, RecordStoreError>, Never>

  private let continuation: Mutex<Continuation?>

  init(_ continuation: Continuation) { self.continuation = Mutex(continuation) }

  func answer(_ result: Result<Value, RecordStoreError>) {
    let waiting = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    waiting?.resume(returning: result)
  }
}

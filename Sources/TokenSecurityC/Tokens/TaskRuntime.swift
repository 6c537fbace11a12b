internal import Synchronization
internal import TokenSecurityPlatform

/// Whether this process can run tasks.
///
/// The threads that run tasks and event loops are of the process that started them. A child made by `fork` has none of them,
/// and the runtime takes them as running: tasks would wait for ever. This is a property of the process, not of a handle, and
/// the only state that all handles share.
enum TaskRuntime {
  /// The process that has started tasks; 0 before the first.
  private static let process = Atomic<Int32>(0)

  /// True in a child of a process that has started tasks.
  static var isForked: Bool {
    let started = process.load(ordering: .relaxed)
    return started != 0 && started != CurrentProcess.number
  }

  /// Notes that tasks start now.
  ///
  /// - Throws: `processForked` if they cannot.
  static func begin() throws(CallError) {
    let own = CurrentProcess.number
    let (_, started) = process.compareExchange(expected: 0, desired: own, ordering: .relaxed)
    guard started == 0 || started == own else { throw .processForked }
  }
}

internal import AsyncHTTPTransport
internal import Synchronization
internal import TokenSecurityPlatform

/// Whether this process can run tasks.
///
/// The threads that run tasks and event loops are of the process that started them. A child made by `fork` has none of them,
/// and the runtime takes them as running: tasks would wait for ever. This is a property of the process, not of a handle: it
/// and ``BackgroundWork`` are the only state that all handles share.
enum TaskRuntime {
  private enum Phase {
    static let idle = 0
    static let running = 1
    static let forked = 2
    /// A thread finds out whether tasks can run.
    static let probing = 3
  }

  private static let phase = Atomic<Int>(Phase.idle)

  /// True in a child of a process that has started tasks.
  static var isForked: Bool { phase.load(ordering: .relaxed) == Phase.forked }

  /// Checks that tasks could start, and starts none: a child that is forked now can start its own.
  ///
  /// - Throws: as ``begin()``.
  static func check() throws(CallError) { try prepare(Phase.idle) }

  /// Prepares for tasks, which start after the call.
  ///
  /// - Throws: `processForked` in a child of a process that has started tasks; `filesMissing` and
  ///   `threadsMissing` where event loops could not open their files or start, which would end the process.
  static func begin() throws(CallError) { try prepare(Phase.running) }

  private static func prepare(_ next: Int) throws(CallError) {
    while true {
      switch phase.load(ordering: .acquiring) {
      case Phase.running: return
      case Phase.forked: throw .processForked
      case Phase.probing:
        // Two that probe at the same time would find too little for both.
        CurrentThread.yield()
        continue
      default: break
      }
      // Before the phase changes, since another thread may fork right after it.
      registerForkHandlers()
      let (isMine, _) = phase.compareExchange(
        expected: Phase.idle, desired: Phase.probing, ordering: .acquiringAndReleasing)
      if isMine { break }
    }
    do throws(CallError) {
      try probe()
      phase.store(next, ordering: .releasing)
    } catch {
      phase.store(Phase.idle, ordering: .releasing)
      throw error
    }
  }

  private static let hasForkHandlers = Atomic(false)

  /// Two threads may both register them: then a fork waits twice at most. What is made once, as a `static let`, would remain
  /// locked in a child that is forked meanwhile.
  private static func registerForkHandlers() {
    guard !hasForkHandlers.load(ordering: .acquiring) else { return }
    CurrentProcess.atFork(
      before: { if TaskRuntime.isRunning { BackgroundWork.waitForPause() } },
      inChild: { TaskRuntime.noteFork() })
    hasForkHandlers.store(true, ordering: .releasing)
  }

  private static var isRunning: Bool { phase.load(ordering: .acquiring) == Phase.running }

  private static func probe() throws(CallError) {
    let (files, threads) = (HTTPClientTransport.openFiles, HTTPClientTransport.threads)
    guard Descriptor.areAvailable(files) else { throw .filesMissing(needed: files) }
    guard CurrentProcess.canStartThreads(threads) else { throw .threadsMissing(needed: threads) }
  }

  /// In a forked child: there are no threads that run tasks, and none that probes.
  private static func noteFork() {
    _ = phase.compareExchange(expected: Phase.running, desired: Phase.forked, ordering: .relaxed)
    _ = phase.compareExchange(expected: Phase.probing, desired: Phase.idle, ordering: .relaxed)
  }
}

internal import Dispatch
internal import Synchronization
internal import Testing

@testable internal import CognitoUserPool

/// Work runs on a bounded number of threads, waits in a bounded queue, and is refused beyond that.
@Suite struct ComputationThreadsTests {
  /// Work that waits until it is released.
  final class Gate: Sendable {
    private let released = DispatchSemaphore(value: 0)
    private let running = Mutex(0)
    let most = Mutex(0)

    func open(for count: Int) { for _ in 0..<count { released.signal() } }

    func pass() {
      let now = running.withLock { running in
        running += 1
        return running
      }
      most.withLock { $0 = max($0, now) }
      released.wait()
      running.withLock { $0 -= 1 }
    }
  }

  @Test func resultsAndErrors() async throws {
    let threads = ComputationThreads(count: 0, waitingLimit: 0)
    #expect(threads.count == 1 && threads.waitingLimit == 1)
    #expect(try await threads.run { () throws(UserPoolError) in 42 } == 42)
    await #expect(throws: UserPoolError.userUnknown) {
      try await threads.run { () throws(UserPoolError) -> Int in throw .userUnknown }
    }
    #expect(ComputationThreads.processors >= 1)
  }

  @Test func bounds() async throws {
    let threads = ComputationThreads(count: 2, waitingLimit: 3)
    let gate = Gate()
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<5 {
        group.addTask {
          (try? await threads.run { () throws(UserPoolError) in gate.pass() }) != nil
        }
      }
      while threads.load < 5 { try? await Task.sleep(for: .milliseconds(1)) }
      await #expect(throws: UserPoolError.tooMuchWork) {
        try await threads.run { () throws(UserPoolError) in gate.pass() }
      }
      gate.open(for: 5)
      #expect(await group.allSatisfy { $0 })
    }
    #expect(gate.most.withLock { $0 } <= 2)
    // Nothing is left behind.
    #expect(try await threads.run { () throws(UserPoolError) in true })
  }
}

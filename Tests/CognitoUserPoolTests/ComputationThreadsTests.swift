internal import Dispatch
internal import HTTPExchange
internal import Synchronization
internal import Testing
internal import TokenSecurityPlatform
internal import TokenSecurityTesting

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

  /// The names of what ran, in order.
  final class Order: Sendable {
    let names = Mutex<[String]>([])
  }

  @Test func resultsAndErrors() async throws {
    let threads = ComputationThreads(count: 0, waitingLimit: 0)
    #expect(threads.count == 1 && threads.waitingLimit == 1)
    #expect(try await threads.run(for: nil) { () throws(UserPoolError) in 42 } == 42)
    await #expect(throws: UserPoolError.userUnknown) {
      try await threads.run(for: nil) { () throws(UserPoolError) -> Int in throw .userUnknown }
    }
    #expect(ComputationThreads.processors >= 1)
  }

  /// Work that computes until another task has run; false if none does for a long time.
  final class Spinning: Sendable {
    private let isSeen = Atomic(false)
    let begun = Tally()

    func end() { isSeen.store(true, ordering: .relaxed) }

    func spin() -> Bool {
      begun.add()
      for _ in 0..<20_000_000_000 where isSeen.load(ordering: .relaxed) { return true }
      return false
    }
  }

  /// While all threads compute, tasks in Swift's pool run: those that accept connections, for instance.
  @Test func otherTasksRun() async throws {
    let threads = ComputationThreads(count: ComputationThreads.processors, waitingLimit: 1)
    let spinning = Spinning()
    await withTaskGroup(of: Bool?.self) { group in
      for _ in 0..<threads.count {
        group.addTask { try? await threads.run(for: nil) { () throws(UserPoolError) in spinning.spin() } }
      }
      group.addTask {
        // Not before the work has taken the threads.
        while spinning.begun.value < threads.count { await Task.yield() }
        spinning.end()
        return true
      }
      #expect(await group.allSatisfy { $0 == true })
    }
  }

  @Test func bounds() async throws {
    let threads = ComputationThreads(count: 2, waitingLimit: 24)
    let gate = Gate()
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<5 {
        group.addTask {
          (try? await threads.run(for: nil) { () throws(UserPoolError) in gate.pass() }) != nil
        }
      }
      try await eventually { threads.load == 5 }
      await #expect(throws: UserPoolError.tooMuchWork) {
        try await threads.run(for: nil) { () throws(UserPoolError) in gate.pass() }
      }
      gate.open(for: 5)
      #expect(try await group.allSatisfy { $0 })
    }
    #expect(gate.most.withLock { $0 } <= 2)
    // Nothing is left behind.
    #expect(try await threads.run(for: nil) { () throws(UserPoolError) in true })
  }

  @Test func callersTakeTurns() async throws {
    let threads = ComputationThreads(count: 1, waitingLimit: 16)
    let busy = ClientAddress(IPAddress("192.0.2.1"))
    let other = ClientAddress(IPAddress("2001:db8::1"))
    // The same network of 64 bits is the same caller.
    #expect(other == ClientAddress(IPAddress("2001:db8::ffff:1")))
    let gate = Gate()
    let order = Order()
    @Sendable func pass(_ client: ClientAddress, _ name: String) async {
      try? await threads.run(for: client) { () throws(UserPoolError) in
        gate.pass()
        order.names.withLock { $0.append(name) }
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for load in 1...3 {
        group.addTask { await pass(busy, "busy") }
        try await eventually { threads.load == load }
      }
      // The busy caller has its eighth of 16 slots.
      await #expect(throws: UserPoolError.tooMuchWork) {
        try await threads.run(for: busy) { () throws(UserPoolError) in gate.pass() }
      }
      group.addTask { await pass(other, "other") }
      try await eventually { threads.load == 4 }
      gate.open(for: 4)
      try await group.waitForAll()
    }
    #expect(order.names.withLock { $0 } == ["busy", "busy", "other", "busy"])
  }
}

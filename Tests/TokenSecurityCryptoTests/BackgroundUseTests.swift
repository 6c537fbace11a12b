internal import Synchronization
internal import Testing
internal import TokenSecurityCrypto
internal import TokenSecurityPlatform

/// An exit while threads use libcrypto. Each test is a process of its own.
@Suite struct BackgroundUseTests {
  /// The status is that of the use: the exit has waited for it.
  @Test func anExitWaitsForUses() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let hasBegun = Atomic(false)
      await withDiscardingTaskGroup { group in
        group.addTask {
          BackgroundUse.run {
            hasBegun.store(true, ordering: .releasing)
            while !BackgroundUse.isEnding { sched_yield() }
            _exit(7)
          }
        }
        group.addTask {
          while !hasBegun.load(ordering: .acquiring) { await Task.yield() }
          exit(0)
        }
      }
    }
  }

  /// What would begin after that never does.
  @Test func noUseBeginsDuringAnExit() async {
    await #expect(processExitsWith: .exitCode(0)) {
      BackgroundUse.run {}
      await withDiscardingTaskGroup { group in
        group.addTask {
          while !BackgroundUse.isEnding { await Task.yield() }
          BackgroundUse.run { _exit(7) }
        }
        group.addTask { exit(0) }
      }
    }
  }
}

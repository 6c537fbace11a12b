internal import Foundation
internal import Synchronization
internal import Testing
internal import TokenSecurityCrypto
internal import TokenSecurityPlatform
internal import TokenSecurityTesting

/// An exit while threads use libcrypto. Each test is a process of its own.
@Suite struct BackgroundUseTests {
  private static let hasBegun = Atomic(false)

  /// The status is that of the use: the exit has waited for it.
  @Test func anExitWaitsForUses() async {
    await #expect(processExitsWith: .exitCode(7)) {
      // Its first use initialises libcrypto.
      _ = try DigestAlgorithm.sha256.hash([1, 2, 3].span)
      Thread.detachNewThread {
        BackgroundUse.run {
          BackgroundUseTests.hasBegun.store(true, ordering: .releasing)
          while !BackgroundUse.isEnding { sched_yield() }
          _exit(7)
        }
      }
      try await eventually { BackgroundUseTests.hasBegun.load(ordering: .acquiring) }
      exit(0)
    }
  }

  /// A use that would begin after that never does, also while the exit waits for another use.
  @Test func noUseBeginsDuringAnExit() async {
    await #expect(processExitsWith: .exitCode(0)) {
      _ = try DigestAlgorithm.sha256.hash([1, 2, 3].span)
      Thread.detachNewThread {
        BackgroundUse.run {
          BackgroundUseTests.hasBegun.store(true, ordering: .releasing)
          while true { sched_yield() }
        }
      }
      Thread.detachNewThread {
        while !BackgroundUse.isEnding { sched_yield() }
        BackgroundUse.run { _exit(7) }
      }
      try await eventually { BackgroundUseTests.hasBegun.load(ordering: .acquiring) }
      exit(0)
    }
  }
}

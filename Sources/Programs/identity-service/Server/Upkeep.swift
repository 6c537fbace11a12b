internal import CognitoIdentity
internal import CognitoSync
internal import CognitoUserPool
internal import Logging
internal import Metrics
internal import Records
internal import ServiceHosting
internal import ServiceLifecycle
internal import TokenLifetime
internal import TokenSecurityBase

/// Removes rows of what was deleted, also those that an earlier process left, and rows whose time has passed. Kinds of rows take
/// turns, a portion each, so that much of one does not keep the others waiting.
struct Upkeep: Service {
  /// A kind of work that is done in portions.
  struct Step: Sendable {
    /// A portion that failed.
    struct Failure: Error {
      /// The stable code, and a sentence.
      let code, reason: String
    }

    /// The line of the log for a portion that fails.
    fileprivate let failure: String
    /// The pause after the last portion, and after one that fails.
    fileprivate let pause: Duration
    /// Does a portion, and returns true if some may be left.
    fileprivate let portion: @Sendable () async throws(Failure) -> Bool

    /// A step, by the line of the log for a portion that fails.
    static func perform<PortionError: CodedError>(
      _ failure: String, every pause: Duration = Upkeep.interval,
      _ portion: @escaping @Sendable () async throws(PortionError) -> Bool
    ) -> Step {
      Step(failure: failure, pause: pause) { () async throws(Failure) in
        do throws(PortionError) { return try await portion() } catch {
          throw Failure(code: error.codeText, reason: "\(error)")
        }
      }
    }

    /// A step that records figures and cannot fail.
    static func measure(_ figures: @escaping @Sendable () async -> Void) -> Step {
      Step(failure: "", pause: Upkeep.interval) { () async throws(Failure) in
        await figures()
        return false
      }
    }
  }

  private let steps: [Step]
  private let logger: Logger
  private let timers: any Clock<Duration>
  private let removal: PacedRemoval
  private let failures = ReportLimit(interval: .seconds(60))
  private static let interval = Duration.seconds(5)

  init(_ services: PoolServices, logger: Logger) {
    let (identities, dataSets, users) = (services.identityPools, services.dataSets, services.userPools)
    self.init(
      steps: [
        .perform("identities of removed pools could not be removed") { () throws(IdentityError) in
          try await identities.continueRemovals()
        },
        .perform("records of deleted data sets could not be removed") { () throws(SyncError) in
          try await dataSets.continueRemovals()
        },
        // It begins a transaction that writes, and nothing waits for it.
        .perform("old push messages could not be removed", every: .seconds(60)) { () throws(SyncError) in
          try await dataSets.removeOldMessages()
        },
        .perform("rows of removed user pools could not be removed") { () throws(UserPoolError) in
          try await users.maintenance.continueRemovals()
        },
        .perform("rows that have ended could not be removed") { () throws(UserPoolError) in
          try await users.maintenance.removeEndedRows()
        },
        .measure { await Self.measure(users) },
      ], logger: logger)
  }

  /// - Parameters:
  ///   - steps: the kinds of work.
  ///   - logger: gets the failures.
  ///   - timers: measures the pauses. Default: the system's clock.
  init(steps: [Step], logger: Logger, timers: any Clock<Duration> = ContinuousClock()) {
    self.steps = steps
    self.logger = logger
    self.timers = timers
    removal = PacedRemoval(timers: timers)
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      let elapsed = timers.stopwatch()
      var due = steps.map { _ in Duration.zero }
      while !Task.isCancelled {
        await removal.run { () async throws(Never) -> Bool in
          var hasMore = false
          for (index, step) in steps.enumerated() where elapsed() >= due[index] && !Task.isCancelled {
            if await hasMoreAfter(step) { hasMore = true } else { due[index] = elapsed() + step.pause }
          }
          return hasMore
        }
        try? await timers.sleep(for: Self.interval)
      }
    }
  }

  /// Does a portion. A step that fails does not keep the others from going on.
  private func hasMoreAfter(_ step: Step) async -> Bool {
    do throws(Step.Failure) { return try await step.portion() } catch {
      if let before = failures.report("\(step.failure): \(error.code)") {
        logger.log(
          .error, "\(step.failure)",
          with: [("code", error.code), ("reason", error.reason), ("before", "\(before)")])
      }
      return false
    }
  }

  private static func measure(_ service: UserPoolService) async {
    for medium in DeliveryMedium.allCases {
      guard let count = try? await service.maintenance.waitingMessages(medium) else { continue }
      Gauge(label: "identity_outbox_messages", dimensions: [("medium", medium.name)]).record(count)
    }
  }
}

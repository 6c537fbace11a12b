internal import CognitoUserPool
internal import Logging
internal import Metrics
internal import Records
internal import ServiceHosting
internal import ServiceLifecycle
internal import TokenLifetime

/// Removes rows of removed user pools, also those that an earlier process left, and rows whose time has passed. The two take
/// turns, a portion each, so that much of one does not keep the other waiting.
struct UserPoolUpkeep: Service {
  /// A kind of data that is removed in portions.
  struct Step: Sendable {
    /// The line of the log for a portion that fails.
    let failure: String
    /// Removes a portion, and returns true if some may be left.
    let remove: @Sendable () async throws(UserPoolError) -> Bool

    /// A step, by the line of the log for a portion that fails.
    static func perform(
      _ failure: String, _ remove: @escaping @Sendable () async throws(UserPoolError) -> Bool
    ) -> Step {
      Step(failure: failure, remove: remove)
    }
  }

  private let steps: [Step]
  private let measure: @Sendable () async -> Void
  private let logger: Logger
  private let timers: any Clock<Duration>
  private let removal: PacedRemoval
  /// A step that fails is tried again with the next portion, or after five seconds.
  private let failures = ReportLimit(interval: .seconds(60))
  /// The pause after a round, and the shortest time between two measurements.
  private static let interval = Duration.seconds(5)

  init(service: UserPoolService, logger: Logger) {
    self.init(
      steps: [
        .perform("rows of removed user pools could not be removed") { () throws(UserPoolError) in
          try await service.continueRemovals()
        },
        .perform("rows that have ended could not be removed") { () throws(UserPoolError) in
          try await service.removeEndedRows()
        },
      ], measure: { await Self.measure(service) }, logger: logger)
  }

  /// - Parameters:
  ///   - steps: what is removed.
  ///   - measure: records figures. Called after portions, once in five seconds.
  ///   - logger: gets the failures.
  ///   - timers: measures the pauses. Default: the system's clock.
  init(
    steps: [Step], measure: @escaping @Sendable () async -> Void, logger: Logger,
    timers: any Clock<Duration> = ContinuousClock()
  ) {
    self.steps = steps
    self.measure = measure
    self.logger = logger
    self.timers = timers
    removal = PacedRemoval(timers: timers)
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      let elapsed = timers.stopwatch()
      var nextMeasurement = Duration.zero
      while !Task.isCancelled {
        await removal.run { () async throws(Never) -> Bool in
          var hasMore = false
          for step in steps { hasMore = await hasMoreAfter(step) || hasMore }
          if elapsed() >= nextMeasurement {
            await measure()
            nextMeasurement = elapsed() + Self.interval
          }
          return hasMore
        }
        try? await timers.sleep(for: Self.interval)
      }
    }
  }

  /// Removes a portion. A step that fails does not keep the others from going on.
  private func hasMoreAfter(_ step: Step) async -> Bool {
    do throws(UserPoolError) { return try await step.remove() } catch {
      if let before = failures.report("\(step.failure): \(error.codeText)") {
        logger.log(
          .error, "\(step.failure)",
          with: [("code", error.codeText), ("reason", "\(error)"), ("before", "\(before)")])
      }
      return false
    }
  }

  private static func measure(_ service: UserPoolService) async {
    for medium in DeliveryMedium.allCases {
      guard let count = try? await service.waitingMessages(medium) else { continue }
      Gauge(label: "identity_outbox_messages", dimensions: [("medium", medium.name)]).record(count)
    }
  }
}

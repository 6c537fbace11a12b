internal import CognitoIdentity
internal import Logging
internal import Records
internal import ServiceHosting
internal import ServiceLifecycle
internal import Synchronization
internal import TokenLifetime

/// Whether the service can answer calls. Reading it does not wait for the store.
final class ServiceReadiness: Sendable {
  private struct State {
    var isStopping = false
    var problem: String? = "the store has not been read yet"
    /// The problem that the log's last line is about; nil where that says that the service is ready.
    var reported: String?
    /// When the last read of the store ended, or the one that has not ended began.
    var last = ContinuousClock.now
  }

  private let state = Mutex(State())
  private let writes: WriteHealth
  private let logger: Logger
  /// Bounds the lines about a store that fails and recovers again and again, such as one whose clock differs by about as
  /// much as it may.
  private let reports = ReportLimit(interval: .seconds(60))
  /// The time after which a read of the store that has not ended is a failure, or one that has not begun: the
  /// threads may all wait for the disk.
  private static let patience = Duration.seconds(5)

  init(writes: WriteHealth, logger: Logger) {
    self.writes = writes
    self.logger = logger
  }

  /// The reason why the service is not ready; nil where it is.
  var problem: String? {
    state.withLock { state in
      if state.isStopping { return "the service is stopping" }
      if ContinuousClock.now - state.last > Self.patience {
        return "the store does not respond"
      }
      return state.problem
    }
  }

  func stop() { state.withLock { $0.isStopping = true } }

  /// Reads the signing keys from the store, and writes to it if a write of a call has failed.
  func check(_ service: IdentityPoolService) async {
    state.withLock { $0.last = .now }
    var problem: String?
    var (code, reason) = ("", "")
    do throws(IdentityError) {
      let count = try await service.store.read(at: .now, .fresh) { rows throws(IdentityError) in
        try rows.signingKeys().count
      }
      problem = count == 0 ? "there is no signing key" : nil
    } catch {
      // The reason is in the log alone, since it may have names of files.
      problem = "the store cannot be read"
      (code, reason) = (error.codeText, "\(error)")
    }
    if problem == nil, let error = await writes.problem(of: service.store) {
      problem = "the store cannot be written"
      (code, reason) = (error.codeText, "\(error)")
    }
    // A read that was cancelled at shutdown says nothing of the store.
    guard !Task.isCancelled else { return }
    let reported = state.withLock { state in
      (state.last, state.problem) = (.now, problem)
      return state.reported
    }
    guard !(reported == problem) else { return }
    if let problem {
      // Tried again with the next check: what lasts is reported.
      guard let before = reports.report(problem) else { return }
      logger.log(
        .error, "the service is not ready",
        with: [("problem", problem), ("code", code), ("reason", reason), ("before", "\(before)")])
    } else {
      logger.log(.notice, "the service is ready", with: [("problem", ""), ("reason", "")])
    }
    state.withLock { $0.reported = problem }
  }
}

/// Checks the readiness every second.
struct ReadinessCheck: Service {
  let readiness: ServiceReadiness
  let service: IdentityPoolService

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        await readiness.check(service)
        try? await Task.sleep(for: .seconds(1))
      }
    }
  }
}

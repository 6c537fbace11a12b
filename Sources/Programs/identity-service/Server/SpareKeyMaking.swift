internal import CognitoUserPool
internal import Logging
internal import ServiceLifecycle
internal import ServiceHosting

/// Makes signing keys of user pools ahead of need, with low priority.
struct SpareKeyMaking: Service {
  let keys: SpareSigningKeys
  let logger: Logger
  /// Measures the pause before the first key, during which the service starts.
  var timers: any Clock<Duration> = ContinuousClock()

  private static let pause = Duration.seconds(5)

  func run() async throws {
    await cancelWhenGracefulShutdown {
      guard (try? await timers.sleep(for: Self.pause)) != nil else { return }
      await keys.refill { error in
        logger.log(.error, "no spare signing key was made", with: [("reason", "\(error)")])
      }
    }
  }
}

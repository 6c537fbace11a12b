internal import CognitoUserPool
internal import Logging
internal import ServiceLifecycle
internal import ServiceHosting

/// Makes signing keys of user pools ahead of need, with low priority.
struct SpareKeyMaking: Service {
  let keys: SpareSigningKeys
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      // Not during the start.
      try? await Task.sleep(for: .seconds(5))
      await keys.refill { error in
        logger.log(.error, "no spare signing key was made", with: [("reason", "\(error)")])
      }
    }
  }
}

public import SigV4
internal import Synchronization

/// Credentials that are asked for again before they end: early, and once, however many wait for them.
///
/// While those at hand still hold, a refresh that fails is not noticed by anyone; it is tried again at the next call
/// after a pause.
public actor RefreshingCredentials: CredentialsSource {
  private let source: any CredentialsSource
  /// How long before their end credentials are renewed.
  public nonisolated let margin: Duration
  /// The pause after an attempt that failed, while there are valid credentials.
  public nonisolated let pause: Duration
  private var current: Credentials?
  private var attempt: Task<Result<Credentials, CredentialsError>, Never>?
  private var lastFailure: Timestamp?

  /// Holds what `source` gives; renewed five minutes before the end, unless said otherwise.
  public init(
    _ source: any CredentialsSource, margin: Duration = .seconds(300), pause: Duration = .seconds(10)
  ) {
    self.source = source
    self.margin = margin
    self.pause = pause
  }

  public func credentials(at now: Timestamp = .now) async throws(CredentialsError) -> Credentials {
    if let current {
      guard let end = current.expiration else { return current }
      if now + margin < end { return current }
      if now < end {
        // Nobody waits while there is something that holds.
        let mayTry = lastFailure.map { $0 + pause <= now } ?? true
        if attempt == nil, mayTry { start(now) }
        return current
      }
    }
    let task = attempt ?? start(now)
    let result = await task.value
    if case .success(let credentials) = result, let end = credentials.expiration, end <= now {
      throw .unusable(.credentialsExpired(at: end, now: now))
    }
    return try result.get()
  }

  @discardableResult
  private func start(_ now: Timestamp) -> Task<Result<Credentials, CredentialsError>, Never> {
    let source = source
    let task = Task { () -> Result<Credentials, CredentialsError> in
      let result: Result<Credentials, CredentialsError>
      do throws(CredentialsError) {
        result = .success(try await source.credentials(at: now))
      } catch {
        result = .failure(error)
      }
      self.end(result, now)
      return result
    }
    attempt = task
    return task
  }

  private func end(_ result: Result<Credentials, CredentialsError>, _ now: Timestamp) {
    attempt = nil
    switch result {
    case .success(let credentials):
      current = credentials
      lastFailure = nil
    case .failure: lastFailure = now
    }
  }
}

public import SigV4
internal import Synchronization

/// Credentials that are asked for again before they end: early, and once, however many wait for them.
///
/// While those at hand still hold, a refresh that fails is not noticed by anyone; it is tried again at the next call
/// after a pause.
public actor RefreshingCredentials: CredentialsSource {
  private let source: any CredentialsSource
  /// How many seconds before their end credentials are renewed.
  public nonisolated let margin: Int64
  /// How many seconds pass between attempts that fail, while there are credentials that hold.
  public nonisolated let pause: Int64
  private var current: Credentials?
  private var attempt: Task<Result<Credentials, CredentialsFault>, Never>?
  private var lastFailure: AmzDate?

  /// Holds what `source` gives; renewed five minutes before the end, unless said otherwise.
  public init(_ source: any CredentialsSource, margin: Int64 = 300, pause: Int64 = 10) {
    self.source = source
    self.margin = margin
    self.pause = pause
  }

  public func credentials(at now: AmzDate = .now) async throws(CredentialsFault) -> Credentials {
    if let current {
      guard let end = current.expiration else { return current }
      if now.advanced(bySeconds: margin) < end { return current }
      if now < end {
        // Nobody waits while there is something that holds.
        let mayTry = lastFailure.map { $0.advanced(bySeconds: pause) <= now } ?? true
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
  private func start(_ now: AmzDate) -> Task<Result<Credentials, CredentialsFault>, Never> {
    let source = source
    let task = Task { () -> Result<Credentials, CredentialsFault> in
      let result: Result<Credentials, CredentialsFault>
      do throws(CredentialsFault) {
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

  private func end(_ result: Result<Credentials, CredentialsFault>, _ now: AmzDate) {
    attempt = nil
    switch result {
    case .success(let credentials):
      current = credentials
      lastFailure = nil
    case .failure: lastFailure = now
    }
  }
}

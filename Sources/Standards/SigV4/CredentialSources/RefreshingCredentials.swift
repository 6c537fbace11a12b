internal import TokenLifetime

/// Credentials that are cached and renewed before they expire, by one request to the source for all callers.
///
/// While the cached credentials are valid, callers do not see a failed renewal; it is tried again at the next
/// call after a pause. A call whose task is cancelled ends with `serviceUnreachable`; the renewal that it
/// waited for continues.
public actor RefreshingCredentials: CredentialsSource {
  private let source: any CredentialsSource
  /// How long before their expiration credentials are renewed.
  public nonisolated let margin: Duration
  /// The pause after a failed renewal, while the cached credentials are valid.
  public nonisolated let pause: Duration
  private var current: Credentials?
  private var flight: SingleFlight<Result<Credentials, CredentialsError>>?
  private var lastFailure: Timestamp?

  /// Creates a cache over a source.
  ///
  /// - Parameters:
  ///   - source: the source. It must end in a bounded time.
  ///   - margin: how long before their expiration credentials are renewed. Default: five minutes.
  ///   - pause: the pause after a failed renewal, while the cached credentials are valid.
  public init(
    _ source: any CredentialsSource, margin: Duration = .seconds(300), pause: Duration = .seconds(10)
  ) {
    self.source = source
    self.margin = margin
    self.pause = pause
  }

  /// The cached credentials, or new ones from the source.
  public func credentials(at now: Timestamp = .now) async throws(CredentialsError) -> Credentials {
    if let current {
      guard let end = current.expiration else { return current }
      if now + margin < end { return current }
      if now < end {
        // The renewal runs in the background while the cached credentials are valid.
        let mayTry = lastFailure.map { $0 + pause <= now } ?? true
        if flight == nil, mayTry { renew(now) }
        return current
      }
    }
    let flight = flight ?? renew(now)
    guard let result = await flight.value else {
      throw .serviceUnreachable("the call was cancelled")
    }
    if case .success(let credentials) = result, let end = credentials.expiration, end <= now {
      throw .unusable(.credentialsExpired(at: end, now: now))
    }
    return try result.get()
  }

  @discardableResult
  private func renew(_ now: Timestamp) -> SingleFlight<Result<Credentials, CredentialsError>> {
    let source = source
    let flight = SingleFlight {
      let result: Result<Credentials, CredentialsError>
      do throws(CredentialsError) {
        result = .success(try await source.credentials(at: now))
      } catch {
        result = .failure(error)
      }
      await self.end(result, now)
      return result
    }
    self.flight = flight
    return flight
  }

  private func end(_ result: Result<Credentials, CredentialsError>, _ now: Timestamp) {
    flight = nil
    switch result {
    case .success(let credentials):
      current = credentials
      lastFailure = nil
    case .failure: lastFailure = now
    }
  }
}

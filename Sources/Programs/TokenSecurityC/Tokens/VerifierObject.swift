internal import OpenIDConnect
internal import TokenSecurityPlatform

/// The object of a `ts_verifier`. It starts no thread: keys are fetched by a function of the caller, on the thread that needs
/// them.
final class VerifierObject: Sendable {
  private let verifier: CallerVerifier
  private let fetchesKeys: Bool
  /// The function that fetches keys.
  let slot: FetchSlot

  init(_ document: PolicyDocument) throws {
    try document.checkFiles()
    verifier = try CallerVerifier(
      document.issuers, configuration: document.fetching,
      cache: document.cacheCapacity.map { VerifiedTokenCache(capacity: $0) })
    fetchesKeys = document.fetchesKeys
    slot = FetchSlot(trustRoots: document.trustRoots)
  }

  /// Verifies a token, and fetches keys that are missing within a time.
  ///
  /// - Parameters:
  ///   - compact: the token.
  ///   - now: the time of the verification.
  ///   - limit: the time for fetches.
  /// - Returns: the verified token.
  /// - Throws: `OpenIDError` or `CallError`.
  func verify(_ compact: String, at now: NumericDate, within limit: TimeLimit) throws -> VerifiedToken {
    do throws(CallerFetchError) {
      return try verifier.verify(compact, at: now) { fetch(within: limit) }
    } catch {
      throw shown(error, limit)
    }
  }

  /// Explains a verification, and fetches keys that are missing within a time.
  func explain(_ compact: String, at now: NumericDate, within limit: TimeLimit) throws -> Explanation {
    do throws(CallerFetchError) {
      return try verifier.explain(compact, at: now) { fetch(within: limit) }
    } catch {
      throw shown(error, limit)
    }
  }

  /// Fetches the keys of all issuers that are missing or due.
  func refresh(milliseconds: UInt32) throws {
    guard fetchesKeys else { return }
    guard let transport = slot.current else { throw CallError.fetchFunctionMissing }
    let limit = TimeLimit(milliseconds: milliseconds)
    do throws(CallerFetchError) {
      try verifier.refresh(CallerFetch(transport, deadline: limit.end, whole: Int64(milliseconds)))
    } catch {
      throw shown(error, limit)
    }
  }

  /// Seconds until keys are due.
  var secondsUntilRefresh: Int64 { verifier.secondsUntilRefresh }

  private func fetch(within limit: TimeLimit) -> CallerFetch? {
    guard limit.milliseconds > 0, let transport = slot.current else { return nil }
    let end = limit.end
    guard end > SystemClock.uptimeMilliseconds else { return nil }
    return CallerFetch(
      transport, deadline: end, whole: Int64(limit.milliseconds),
      cancellation: limit.cancellation ?? CallerCancellation())
  }

  private func shown(_ error: CallerFetchError, _ limit: TimeLimit) -> any Error {
    switch error {
    case .verification(.keysNotCached) where limit.milliseconds > 0 && slot.current == nil:
      CallError.fetchFunctionMissing
    case .verification(let error): error
    case .timedOut: CallError.timedOut(milliseconds: limit.milliseconds)
    case .reentered: CallError.fetchReentered
    case .cancelled: CallError.fetchCancelled
    }
  }
}

/// The time that a call has for fetches.
struct TimeLimit {
  /// As the caller has said it.
  let milliseconds: UInt32
  /// Whether a fetch was given up, for several tokens.
  let cancellation: CallerCancellation?
  private let begun: Int64?

  /// A limit that begins when it is first needed: a call with cached keys reads no clock.
  init(milliseconds: UInt32) {
    self.milliseconds = milliseconds
    cancellation = nil
    begun = nil
  }

  /// A limit for several tokens, which begins now.
  init(beginning milliseconds: UInt32) {
    self.milliseconds = milliseconds
    cancellation = CallerCancellation()
    begun = SystemClock.uptimeMilliseconds
  }

  /// The end, in milliseconds of uptime.
  var end: Int64 { (begun ?? SystemClock.uptimeMilliseconds) + Int64(milliseconds) }
}

package import JOSE

/// Verifies tokens as ``OpenIDVerifier`` does, with keys that its callers fetch on their own threads.
///
/// It starts no thread and no task, so that a process can fork at any time at which no call is in progress.
package struct CallerVerifier: Sendable {
  private let verifier: OpenIDVerifier

  /// A verifier for these issuers.
  ///
  /// - Parameters:
  ///   - issuers: the trusted issuers, each listed once.
  ///   - configuration: how keys are fetched and cached.
  ///   - cache: where verified tokens are stored, for tokens that come many times. Default: none.
  ///   - clocks: the clocks of lifetimes and time limits. Default: the machine's.
  /// - Throws: as ``OpenIDVerifier``.
  package init(
    _ issuers: [TrustedIssuer], configuration: RemoteKeySetConfiguration, cache: VerifiedTokenCache? = nil,
    clocks: CallerClocks = .system
  ) throws(OpenIDError) {
    verifier = try OpenIDVerifier(issuers, cache: cache) { location in
      .caller(CallerKeySet(location, configuration, clocks))
    }
  }

  /// Verifies a token. With fresh keys that have the token's key, nothing is fetched.
  ///
  /// - Parameters:
  ///   - compact: the token.
  ///   - now: the current time.
  ///   - fetch: returns what the call may spend on fetching; nil to use the cached keys only.
  /// - Returns: the verified token.
  /// - Throws: the rule that the token breaks, or why there are no keys.
  package func verify(
    _ compact: String, at now: NumericDate, _ fetch: () -> CallerFetch?
  ) throws(CallerFetchError) -> VerifiedToken {
    if let cached = verifier.cached?.find(compact) {
      let entry = verifier.entries[cached.issuer]
      let keys = try entry.keys(for: cached.token.header, cached.token.claims, fetch)
      let token: VerifiedToken?
      do throws(OpenIDError) { token = try entry.verify(cached, keys, at: now) } catch {
        throw .verification(error)
      }
      if let token { return token }
    }
    let found: OpenIDVerifier.Found
    do throws(OpenIDError) { found = try verifier.find(compact) } catch { throw .verification(error) }
    let keys = try found.entry.keys(for: found.token.header, found.token.claims, fetch)
    do throws(OpenIDError) { return try verifier.verify(found, keys, at: now) } catch {
      throw .verification(error)
    }
  }

  /// Reports the outcome of every check.
  ///
  /// - Parameters:
  ///   - compact: the token.
  ///   - now: the current time.
  ///   - fetch: returns what the call may spend on fetching; nil to use the cached keys only.
  /// - Returns: the explanation, also for a token that is refused.
  /// - Throws: the error that prevented verification.
  package func explain(
    _ compact: String, at now: NumericDate, _ fetch: () -> CallerFetch?
  ) throws(CallerFetchError) -> Explanation {
    let explaining: OpenIDVerifier.Explaining
    do throws(OpenIDError) { explaining = try verifier.explanation(of: compact, at: now) } catch {
      throw .verification(error)
    }
    switch explaining {
    case .made(let explanation): return explanation
    case .needsKeys(let found):
      let keys = try found.entry.keys(for: found.token.header, found.token.claims, fetch)
      return found.entry.verifier.explain(compact, keys: keys, at: now)
    }
  }

  /// Fetches the keys of all issuers that are missing or due, one set after the other, except
  /// ``TrustedIssuer/separateKeys``. A set whose last fetch failed is not fetched again during its back-off.
  ///
  /// - Parameter fetch: what the call may spend.
  /// - Throws: the first error, after all sets.
  package func refresh(_ fetch: CallerFetch) throws(CallerFetchError) {
    var first: CallerFetchError?
    for set in sets {
      do throws(CallerFetchError) { try set.refresh(fetch) } catch {
        guard error != .cancelled else { throw error }
        first = first ?? error
      }
    }
    if let first { throw first }
  }

  /// Seconds until a set of ``refresh(_:)`` is due; the largest number if nothing is fetched.
  package var secondsUntilRefresh: Int64 { sets.map(\.secondsUntilRefresh).min() ?? .max }

  private var sets: [CallerKeySet] {
    verifier.ahead.compactMap { if case .caller(let set) = $0 { set } else { nil } }
  }
}

internal import JOSE

/// One trusted issuer of an ``OpenIDVerifier``, prepared for verification.
final class IssuerEntry: Sendable {
  let verifier: PolicyVerifier
  let limits: TokenLimits
  let keys: Source
  /// Its index in the verifier's list.
  let index: Int

  enum Source: Sendable {
    case fixed(PreparedKeys)
    case remote(RemoteKeySet)
    /// Of a ``CallerVerifier``.
    case caller(CallerKeySet)
  }

  init(_ verifier: PolicyVerifier, _ keys: Source, index: Int) {
    self.verifier = verifier
    limits = verifier.policy.signature.limits
    self.keys = keys
    self.index = index
  }

  /// The cached keys for a token of this header, without waiting.
  ///
  /// - Throws: `keysNotCached` if there are none.
  @inline(__always)
  func cachedKeys(
    for header: JOSEHeader, _ claims: @autoclosure () -> TokenClaims
  ) throws(OpenIDError) -> PreparedKeys {
    switch keys {
    case .fixed(let keys): return keys
    case .remote(let set):
      guard let keys = set.cachedKeys(for: header) else {
        throw .keysNotCached(issuer: claims().issuer ?? "")
      }
      return keys
    case .caller: throw .keysNotCached(issuer: claims().issuer ?? "")
    }
  }

  /// The keys for a token of this header, fetched on this thread if necessary.
  @inline(__always)
  func keys(
    for header: JOSEHeader, _ claims: @autoclosure () -> TokenClaims, _ fetch: () -> CallerFetch?
  ) throws(CallerFetchError) -> PreparedKeys {
    switch keys {
    case .fixed(let keys): return keys
    case .caller(let set): return try set.keys(for: header, claims().issuer ?? "", fetch)
    case .remote: throw .verification(.keysNotCached(issuer: claims().issuer ?? ""))
    }
  }

  /// The keys for a token of this header, fetched if necessary.
  func keys(for header: JOSEHeader) async throws(OpenIDError) -> PreparedKeys {
    switch keys {
    case .fixed(let keys): return keys
    case .remote(let set): return try await set.keys(for: header)
    case .caller: throw .keysNotCached(issuer: "")
    }
  }

  /// Verifies a token from the cache; nil if its issuer has other keys now.
  func verify(
    _ cached: CachedToken, _ keys: PreparedKeys, at now: NumericDate
  ) throws(OpenIDError) -> VerifiedToken? {
    do { return try verifier.verify(cached, keys: keys, at: now) } catch { throw .token(error) }
  }
}

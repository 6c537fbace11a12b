internal import JOSE

/// One trusted issuer of an ``OpenIDVerifier``, prepared for verification.
final class IssuerEntry: Sendable {
  let verifier: PolicyVerifier
  let limits: TokenLimits
  let keys: Source
  /// Its place in the verifier's list.
  let index: Int

  enum Source: Sendable {
    case fixed(PreparedKeys)
    case remote(RemoteKeySet)
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
    }
  }

  /// The cached keys, without a fetch.
  ///
  /// - Throws: `keysNotCached` if there are none.
  func storedKeys(_ claims: @autoclosure () -> TokenClaims) throws(OpenIDError) -> PreparedKeys {
    switch keys {
    case .fixed(let keys): return keys
    case .remote(let set):
      guard let keys = set.storedKeys else { throw .keysNotCached(issuer: claims().issuer ?? "") }
      return keys
    }
  }

  /// The keys for a token of this header, fetched if necessary.
  func keys(for header: JOSEHeader) async throws(OpenIDError) -> PreparedKeys {
    switch keys {
    case .fixed(let keys): keys
    case .remote(let set): try await set.keys(for: header)
    }
  }

  /// Verifies a token from the cache; nil if its issuer has other keys now.
  func verify(
    _ cached: CachedToken, _ keys: PreparedKeys, at now: NumericDate
  ) throws(OpenIDError) -> VerifiedToken? {
    do { return try verifier.verify(cached, keys: keys, at: now) } catch { throw .token(error) }
  }
}

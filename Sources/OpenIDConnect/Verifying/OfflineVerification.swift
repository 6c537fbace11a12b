package import JOSE

/// Verification with the keys that are there, for processes that cannot fetch.
extension OpenIDVerifier {
  /// ``verify(_:at:)`` without a fetch and without the cache of tokens: for a child process after `fork`.
  package func verifyOffline(_ compact: String, at now: NumericDate) throws(OpenIDError) -> VerifiedToken {
    let found = try find(compact)
    return try found.verify(found.entry.verifier, found.entry.storedKeys(found.token.claims), at: now)
  }

  /// ``explainFetchingKeys(_:at:)`` without a fetch: with the keys that may be used, also if they have expired.
  package func explainOffline(_ compact: String, at now: NumericDate) throws(OpenIDError) -> Explanation {
    let (token, entry) = try locate(compact)
    if case .fixed(let keys) = entry.keys { return entry.verifier.explain(compact, keys: keys, at: now) }
    let found = try verifyHeader(token, entry)
    return entry.verifier.explain(compact, keys: try entry.storedKeys(found.token.claims), at: now)
  }
}

public import JOSE
internal import TokenSecurityBase

extension OpenIDVerifier {
  /// Reports the outcome of every check, and fetches keys if they are not cached.
  ///
  /// - Parameters:
  ///   - compact: the token.
  ///   - now: the current time.
  /// - Returns: the explanation, also for a token that is refused and for a text that is none.
  /// - Throws: `keysUnavailable` if there are no keys of its issuer.
  public func explainFetchingKeys(
    _ compact: String, at now: NumericDate = .now
  ) async throws(OpenIDError) -> Explanation {
    switch try explanation(of: compact, at: now) {
    case .made(let explanation): explanation
    case .needsKeys(let found): found.entry.verifier.explain(compact, keys: try await found.keys(), at: now)
    }
  }

  /// What a text needs to be explained.
  enum Explaining {
    /// Nothing: it is refused without keys, or the keys are fixed.
    case made(Explanation)
    /// Keys of its issuer.
    case needsKeys(Found)
  }

  /// Explains what needs no fetched keys.
  ///
  /// - Throws: errors that are no refusals.
  func explanation(of compact: String, at now: NumericDate) throws(OpenIDError) -> Explaining {
    let located: (token: UnverifiedToken, entry: IssuerEntry)
    do throws(OpenIDError) { located = try locate(compact) } catch {
      switch error {
      case .issuerUnknown(let actual, _):
        return .made(Explanation(untrustedIssuer: actual, of: compact, expected: names, at: now))
      case .issuerMissing:
        return .made(Explanation(untrustedIssuer: nil, of: compact, expected: names, at: now))
      case .token:
        // Its issuer may be known, whose limits are narrower than those of others.
        let issuer = (try? UnverifiedToken(compact, limits: limits))?.claims.issuer
        let entry = issuer.flatMap { issuers[ExactString($0)] } ?? entries[0]
        return .made(try refusal(of: compact, by: entry, at: now))
      default: throw error
      }
    }
    let verifier = located.entry.verifier
    // With fixed keys nothing is fetched for a token whose header is refused.
    if case .fixed(let keys) = located.entry.keys {
      return .made(verifier.explain(compact, keys: keys, at: now))
    }
    do throws(OpenIDError) { return .needsKeys(try verifyHeader(located.token, located.entry)) } catch {
      guard error.isRefusal else { throw error }
      return .made(try refusal(of: compact, by: located.entry, at: now))
    }
  }

  /// Explains a token that an issuer's policy refuses before a key is looked for.
  private func refusal(
    of compact: String, by entry: IssuerEntry, at now: NumericDate
  ) throws(OpenIDError) -> Explanation {
    do throws(JOSEError) {
      return entry.verifier.explain(compact, keys: try PreparedKeys(JWKSet([])), at: now)
    } catch {
      throw .token(error)
    }
  }
}

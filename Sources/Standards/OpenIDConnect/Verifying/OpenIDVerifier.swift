public import HTTPExchange
public import JOSE
public import Logging
internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// Verifies the tokens of one or many issuers. The token's issuer selects the policy and the keys; an issuer
/// that is not trusted is refused before any network access.
///
///     let verifier = try OpenIDVerifier(
///       [.cognitoUserPool("eu-west-1_Example01", use: .access, clientIDs: ["1h57kf5cpq17m0eml12EXAMPLE"])],
///       transport: transport)
///     let token = try await verifier.verifyFetchingKeys(compact)
///
/// Make one verifier and reuse it. ``verify(_:at:)`` never waits: it uses cached keys.
/// ``verifyFetchingKeys(_:at:)`` fetches missing keys.
public struct OpenIDVerifier: Sendable {
  let issuers: [ExactString: IssuerEntry]
  let names: [String]
  /// The entries in the order of their indices.
  let entries: [IssuerEntry]
  let cached: TokenCacheSection?
  let limits: TokenLimits
  /// The key sets that are fetched ahead, without duplicates.
  let ahead: [IssuerEntry.Source]

  /// A verifier for these issuers.
  ///
  /// - Parameters:
  ///   - issuers: the trusted issuers, each listed once.
  ///   - transport: the HTTP client that fetches keys.
  ///   - configuration: how keys are fetched and cached.
  ///   - cache: where verified tokens are stored, for tokens that come many times. Default: none.
  ///   - logger: the logger for key-set events. Default: none.
  /// - Throws: `verifierInvalid` if there is no issuer or one is listed twice; `token` if a policy or fixed
  ///   keys are invalid.
  public init(
    _ issuers: [TrustedIssuer], transport: any HTTPTransport,
    configuration: RemoteKeySetConfiguration = RemoteKeySetConfiguration(),
    cache: VerifiedTokenCache? = nil, logger: Logger = .silent
  ) throws(OpenIDError) {
    try self.init(
      issuers, transport: transport, configuration: configuration, cache: cache, logger: logger
    ) {
      SystemClock.bootSeconds
    }
  }

  package init(
    _ issuers: [TrustedIssuer], transport: any HTTPTransport, configuration: RemoteKeySetConfiguration,
    cache: VerifiedTokenCache? = nil, logger: Logger = .silent, clock: @escaping @Sendable () -> Int64
  ) throws(OpenIDError) {
    try self.init(issuers, cache: cache) { location in
      .remote(
        RemoteKeySet(
          location, transport: transport, configuration: configuration, logger: logger, clock: clock))
    }
  }

  /// A verifier whose key sets are made by a function, once for each location.
  init(
    _ issuers: [TrustedIssuer], cache: VerifiedTokenCache?, set: (KeySetLocation) -> IssuerEntry.Source
  ) throws(OpenIDError) {
    var byName: [ExactString: IssuerEntry] = [:]
    var entries: [IssuerEntry] = []
    var names: [String] = []
    var sets: [KeySetLocation: IssuerEntry.Source] = [:]
    var expected: Set<KeySetLocation> = []
    var limits = TokenLimits()
    for issuer in issuers {
      if let problem = issuer.problem { throw .verifierInvalid(rule: problem) }
      for part in issuer.parts {
        let entry: IssuerEntry
        do throws(JOSEError) {
          let verifier = try PolicyVerifier(part.issuer.policy)
          switch part.issuer.keys {
          case .fixed(let set):
            entry = IssuerEntry(verifier, .fixed(try PreparedKeys(set)), index: entries.count)
          case .remote(let location):
            let source = sets[location] ?? set(location)
            sets[location] = source
            if !part.isOnDemand { expected.insert(location) }
            entry = IssuerEntry(verifier, source, index: entries.count)
          }
        } catch {
          throw .token(error)
        }
        entries.append(entry)
        for name in part.issuer.names {
          guard byName.updateValue(entry, forKey: ExactString(name)) == nil else {
            throw .verifierInvalid(rule: "the issuer \(name.quoted) is listed twice")
          }
          names.append(name)
        }
      }
      let own = issuer.policy.signature.limits
      limits.token = max(limits.token, own.token)
      limits.header = max(limits.header, own.header)
      limits.payload = max(limits.payload, own.payload)
      limits.signature = max(limits.signature, own.signature)
      limits.depth = max(limits.depth, own.depth)
    }
    guard !entries.isEmpty else { throw .verifierInvalid(rule: "there is no trusted issuer") }
    self.issuers = byName
    self.entries = entries
    cached = cache.map(TokenCacheSection.init)
    self.names = names
    self.limits = limits
    ahead = expected.compactMap { sets[$0] }
  }

  /// Verifies a token with cached keys, without waiting. If keys are missing or a refresh is due, a fetch starts in
  /// the background.
  ///
  /// - Parameters:
  ///   - compact: the token.
  ///   - now: the current time.
  /// - Returns: the verified token.
  /// - Throws: `keysNotCached` if no keys of its issuer are cached; `token` with the rule that it breaks.
  public func verify(_ compact: String, at now: NumericDate = .now) throws(OpenIDError) -> VerifiedToken {
    if let cached = cached?.find(compact) {
      let entry = entries[cached.issuer]
      let keys = try entry.cachedKeys(for: cached.token.header, cached.token.claims)
      if let token = try entry.verify(cached, keys, at: now) { return token }
    }
    let found = try find(compact)
    let keys = try found.entry.cachedKeys(for: found.token.header, found.token.claims)
    return try verify(found, keys, at: now)
  }

  /// Verifies a token, and fetches its issuer's keys if they are not cached.
  public func verifyFetchingKeys(
    _ compact: String, at now: NumericDate = .now
  ) async throws(OpenIDError) -> VerifiedToken {
    if let cached = cached?.find(compact) {
      let entry = entries[cached.issuer]
      let keys = try await entry.keys(for: cached.token.header)
      if let token = try entry.verify(cached, keys, at: now) { return token }
    }
    let found = try find(compact)
    return try verify(found, await found.keys(), at: now)
  }

  func verify(
    _ found: Found, _ keys: PreparedKeys, at now: NumericDate
  ) throws(OpenIDError) -> VerifiedToken {
    guard let cached else { return try found.verify(found.entry.verifier, keys, at: now) }
    return try cached.store(issuer: found.entry.index, keys: keys) { () throws(OpenIDError) in
      try found.verify(found.entry.verifier, keys, at: now)
    }
  }

  /// Verifies the ID token of a sign-in, always without the cache.
  ///
  /// - Parameters:
  ///   - compact: the ID token.
  ///   - signIn: the values of this sign-in that the token must match.
  ///   - now: the current time.
  /// - Returns: the verified token.
  /// - Throws: `keysUnavailable` if there are no keys of its issuer; `token` with the rule that it breaks.
  public func verifyFetchingKeys(
    _ compact: String, signIn: SignIn, at now: NumericDate = .now
  ) async throws(OpenIDError) -> VerifiedToken {
    let found = try find(compact)
    let keys = try await found.keys()
    // The header is already verified: a sign-in adds rules for claims only.
    var policy = found.entry.verifier.policy
    signIn.apply(to: &policy)
    let verifier: PolicyVerifier
    do { verifier = try PolicyVerifier(policy) } catch { throw .token(error) }
    return try found.verify(verifier, keys, at: now)
  }

  /// A token of a trusted issuer whose header passed the issuer's policy. No keys are fetched for other
  /// tokens.
  struct Found {
    let token: UnverifiedToken
    let algorithm: Algorithm
    let entry: IssuerEntry

    func verify(
      _ verifier: PolicyVerifier, _ keys: PreparedKeys, at now: NumericDate
    ) throws(OpenIDError) -> VerifiedToken {
      do { return try verifier.verify(token, of: algorithm, keys: keys, at: now) } catch {
        throw .token(error)
      }
    }

    func keys() async throws(OpenIDError) -> PreparedKeys { try await entry.keys(for: token.header) }
  }

  func find(_ compact: String) throws(OpenIDError) -> Found {
    let (token, entry) = try locate(compact)
    return try verifyHeader(token, entry)
  }

  func verifyHeader(_ token: UnverifiedToken, _ entry: IssuerEntry) throws(OpenIDError) -> Found {
    do { return Found(token: token, algorithm: try entry.verifier.verifyHeader(token), entry: entry) } catch {
      throw .token(error)
    }
  }

  func locate(_ compact: String) throws(OpenIDError) -> (UnverifiedToken, IssuerEntry) {
    var token: UnverifiedToken
    do { token = try UnverifiedToken(compact, limits: limits) } catch { throw .token(error) }
    guard let issuer = token.claims.issuer else { throw .issuerMissing }
    guard let entry = issuers[ExactString(issuer)] else { throw .issuerUnknown(actual: issuer, known: names) }
    // The token was parsed with the widest limits of all issuers; its own issuer's may be narrower.
    if entry.limits != limits {
      do { token = try entry.verifier.parse(compact) } catch { throw .token(error) }
    }
    return (token, entry)
  }
}

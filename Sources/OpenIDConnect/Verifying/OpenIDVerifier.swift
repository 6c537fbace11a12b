internal import TokenSecurityPlatform
internal import TokenSecurityEncodings
public import HTTPExchange
public import JOSE
public import Logging

/// Verifies the tokens of one issuer or of a thousand: a token's issuer picks its policy and its keys, and an
/// issuer that is not trusted is refused before any network is touched.
///
///     let verifier = try OpenIDVerifier(
///       [.cognitoUserPool("eu-west-1_Example01", use: .access, clientIDs: ["1h57kf5cpq17m0eml12EXAMPLE"])],
///       transport: transport)
///     let token = try await verifier.verifyFetchingKeys(compact)
///
/// Make one and keep it. ``verify(_:at:)`` never waits: it judges by the keys that are held.
/// ``verifyFetchingKeys(_:at:)`` fetches what is missing.
public struct OpenIDVerifier: Sendable {
  private let issuers: [ExactString: Entry]
  private let names: [String]
  private let limits: TokenLimits
  /// The key sets that lie elsewhere, each once.
  private let sets: [RemoteKeySet]

  private final class Entry: Sendable {
    let judge: PolicyVerifier
    let limits: TokenLimits
    let keys: Source

    enum Source: Sendable {
      case held(PreparedKeys)
      case remote(RemoteKeySet)
    }

    init(_ judge: PolicyVerifier, _ keys: Source) {
      self.judge = judge
      limits = judge.policy.signature.limits
      self.keys = keys
    }
  }

  /// A verifier for these issuers.
  ///
  /// - Parameters:
  ///   - issuers: whose tokens are accepted. No issuer may be there twice.
  ///   - transport: the HTTP client that fetches keys.
  ///   - rules: how keys are fetched and held.
  ///   - logger: where what happens to the keys is told; nowhere unless said otherwise.
  public init(
    _ issuers: [TrustedIssuer], transport: any HTTPTransport,
    rules: RemoteKeySetConfiguration = RemoteKeySetConfiguration(),
    logger: Logger = .silent
  ) throws(OpenIDError) {
    try self.init(issuers, transport: transport, rules: rules, logger: logger) { SystemClock.bootSeconds }
  }

  package init(
    _ issuers: [TrustedIssuer], transport: any HTTPTransport, rules: RemoteKeySetConfiguration,
    logger: Logger,
    clock: @escaping @Sendable () -> Int64
  ) throws(OpenIDError) {
    var entries: [ExactString: Entry] = [:]
    var names: [String] = []
    var sets: [KeySetLocation: RemoteKeySet] = [:]
    var limits = TokenLimits()
    for issuer in issuers {
      if let problem = issuer.problem { throw .verifierInvalid(rule: problem) }
      let entry: Entry
      do throws(JOSEError) {
        let judge = try PolicyVerifier(issuer.policy)
        switch issuer.keys {
        case .held(let set): entry = Entry(judge, .held(try PreparedKeys(set)))
        case .remote(let location):
          let set =
            sets[location]
            ?? RemoteKeySet(location, transport: transport, rules: rules, logger: logger, clock: clock)
          sets[location] = set
          entry = Entry(judge, .remote(set))
        }
      } catch {
        throw .token(error)
      }
      for name in issuer.names {
        guard entries.updateValue(entry, forKey: ExactString(name)) == nil else {
          throw .verifierInvalid(rule: "the issuer \(name.quoted) is there twice")
        }
        names.append(name)
      }
      limits.token = max(limits.token, issuer.policy.signature.limits.token)
      limits.header = max(limits.header, issuer.policy.signature.limits.header)
      limits.payload = max(limits.payload, issuer.policy.signature.limits.payload)
      limits.signature = max(limits.signature, issuer.policy.signature.limits.signature)
      limits.depth = max(limits.depth, issuer.policy.signature.limits.depth)
    }
    guard !entries.isEmpty else {
      throw .verifierInvalid(rule: "no issuer is trusted, so that no token can be")
    }
    self.issuers = entries
    self.names = names
    self.limits = limits
    self.sets = Array(sets.values)
  }

  /// Verifies a token by the keys that are held, without waiting.
  ///
  /// Where keys are missing or want to be refreshed, a fetch begins in the background.
  ///
  /// - Parameters:
  ///   - compact: the token.
  ///   - now: the instant that it is judged at.
  /// - Throws: `keysNotHeld` where there are no keys of its issuer; `token` with the rule that it breaks.
  public func verify(_ compact: String, at now: NumericDate = .now) throws(OpenIDError) -> VerifiedToken {
    let found = try find(compact)
    let keys: PreparedKeys
    switch found.entry.keys {
    case .held(let held): keys = held
    case .remote(let set):
      guard let held = set.cachedKeys(for: found.token.header) else {
        throw .keysNotHeld(issuer: found.token.claims.issuer ?? "")
      }
      keys = held
    }
    return try found.verify(found.entry.judge, keys, at: now)
  }

  /// Verifies a token, fetching its issuer's keys where they are not held.
  public func verifyFetchingKeys(
    _ compact: String, at now: NumericDate = .now
  ) async throws(OpenIDError) -> VerifiedToken {
    let found = try find(compact)
    return try found.verify(found.entry.judge, await found.keys(), at: now)
  }

  /// Verifies the ID token that came back from a sign-in.
  ///
  /// - Parameters:
  ///   - compact: the ID token.
  ///   - signIn: what was sent, and what came along.
  ///   - now: the instant that it is judged at.
  public func verifyFetchingKeys(
    _ compact: String, answering signIn: SignIn, at now: NumericDate = .now
  ) async throws(OpenIDError) -> VerifiedToken {
    let found = try find(compact)
    let keys = try await found.keys()
    // The header's rules are the same: a sign-in adds claims to be judged.
    var policy = found.entry.judge.policy
    signIn.apply(to: &policy)
    let judge: PolicyVerifier
    do { judge = try PolicyVerifier(policy) } catch { throw .token(error) }
    return try found.verify(judge, keys, at: now)
  }

  /// Verifies a token, fetching keys where need be, and tells every check.
  ///
  /// - Throws: what kept the token from being judged at all. A refusal is in the explanation.
  public func explainFetchingKeys(
    _ compact: String, at now: NumericDate = .now
  ) async throws(OpenIDError) -> Explanation {
    let (token, entry) = try locate(compact)
    // With keys at hand nothing keeps the header's own faults from being explained.
    if case .held(let keys) = entry.keys { return entry.judge.explain(compact, keys: keys, at: now) }
    return entry.judge.explain(compact, keys: try await judgeHeader(token, entry).keys(), at: now)
  }

  /// Fetches the keys of all issuers, so that ``verify(_:at:)`` has them.
  ///
  /// - Throws: the first fault, after all have been tried.
  public func prefetch() async throws(OpenIDError) {
    let fault = await withTaskGroup(of: OpenIDError?.self) { group in
      var fault: OpenIDError? = nil
      for (index, set) in sets.enumerated() {
        if index >= 16, let ended = await group.next() { fault = fault ?? ended }
        group.addTask {
          do throws(OpenIDError) { try await set.prefetch() } catch { return error }
          return nil
        }
      }
      for await ended in group { fault = fault ?? ended }
      return fault
    }
    if let fault { throw fault }
  }

  /// Keeps the keys of all issuers fresh until the task is cancelled, whether or not tokens come.
  public func keepFresh() async {
    await withTaskGroup(of: Void.self) { group in
      for set in sets { group.addTask { await set.keepFresh() } }
    }
  }

  /// A token whose issuer is trusted, and whose header has been judged by that issuer's policy: one that its header
  /// alone condemns is not worth a fetch.
  private struct Found {
    let token: UnverifiedToken
    let algorithm: Algorithm
    let entry: Entry

    func verify(
      _ judge: PolicyVerifier, _ keys: PreparedKeys, at now: NumericDate
    ) throws(OpenIDError) -> VerifiedToken {
      do { return try judge.verify(token, of: algorithm, keys: keys, at: now) } catch { throw .token(error) }
    }

    func keys() async throws(OpenIDError) -> PreparedKeys {
      switch entry.keys {
      case .held(let held): held
      case .remote(let set): try await set.keys(for: token.header)
      }
    }
  }

  private func find(_ compact: String) throws(OpenIDError) -> Found {
    let (token, entry) = try locate(compact)
    return try judgeHeader(token, entry)
  }

  private func judgeHeader(_ token: UnverifiedToken, _ entry: Entry) throws(OpenIDError) -> Found {
    do { return Found(token: token, algorithm: try entry.judge.verifyHeader(token), entry: entry) } catch {
      throw .token(error)
    }
  }

  private func locate(_ compact: String) throws(OpenIDError) -> (UnverifiedToken, Entry) {
    var token: UnverifiedToken
    do { token = try UnverifiedToken(compact, limits: limits) } catch { throw .token(error) }
    guard let issuer = token.claims.issuer else { throw .issuerMissing }
    guard let entry = issuers[ExactString(issuer)] else { throw .issuerUnknown(actual: issuer, known: names) }
    // The limits that all tokens are read with are the widest; this issuer's may be narrower.
    if entry.limits != limits {
      do { token = try entry.judge.parse(compact) } catch { throw .token(error) }
    }
    return (token, entry)
  }
}

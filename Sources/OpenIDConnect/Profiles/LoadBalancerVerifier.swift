public import JOSE
public import Logging
internal import Synchronization

/// Verifies what an Application Load Balancer says of a user (`x-amzn-oidc-data`).
///
/// Its tokens are padded, which no other is, and each key lies at an address of its own. A key that is not
/// held is fetched once per cool-down; tokens whose header names another load balancer fetch nothing.
public final class LoadBalancerVerifier: Sendable {
  /// The load balancer.
  public let loadBalancer: LoadBalancer

  private let judge: PolicyJudge
  private let fetcher: any HTTPFetching
  private let rules: RemoteKeyRules
  private let logger: Logger
  private let clock: @Sendable () -> Int64
  private let state = Mutex(State())

  private struct State {
    var sets: [String: RemoteKeySet] = [:]
    var order: [String] = []
    var nextSearch: Int64 = .min
  }

  /// The most keys that are held. A load balancer signs with one at a time.
  private static let capacity = 16

  /// A verifier for this load balancer.
  ///
  /// - Parameters:
  ///   - loadBalancer: which one. Without it anyone's load balancer could send users.
  ///   - clientID: the client id that it has at the provider.
  ///   - issuer: the provider; not judged unless said, since the load balancer has one for each rule.
  ///   - fetcher: who fetches keys.
  ///   - rules: how keys are fetched and held.
  ///   - logger: where what happens to the keys is told; nowhere unless said otherwise.
  public convenience init(
    _ loadBalancer: LoadBalancer, clientID: Expectation<String>,
    issuer: Expectation<String> = .unchecked(because: "the signer is judged"),
    fetcher: any HTTPFetching, rules: RemoteKeyRules = RemoteKeyRules(), logger: Logger = .silent
  ) throws(OpenIDError) {
    try self.init(
      loadBalancer, clientID: clientID, issuer: issuer, fetcher: fetcher, rules: rules, logger: logger
    ) { ForwardClock.seconds }
  }

  package init(
    _ loadBalancer: LoadBalancer, clientID: Expectation<String>, issuer: Expectation<String>,
    fetcher: any HTTPFetching, rules: RemoteKeyRules, logger: Logger,
    clock: @escaping @Sendable () -> Int64
  ) throws(OpenIDError) {
    self.loadBalancer = loadBalancer
    self.fetcher = fetcher
    // A name that no key is found for is asked for again no sooner than another one would be.
    var rules = rules
    rules.firstBackOff = max(rules.firstBackOff, rules.coolDown)
    rules.longestBackOff = max(rules.longestBackOff, rules.coolDown)
    self.rules = rules
    self.logger = logger
    self.clock = clock
    do { judge = try PolicyJudge(loadBalancer.policy(clientID: clientID, issuer: issuer)) } catch {
      throw .token(error)
    }
  }

  /// Verifies a token by the keys that are held, without waiting.
  public func verify(_ compact: String, at now: NumericDate = .now) throws(OpenIDError) -> VerifiedToken {
    let found = try find(compact)
    guard let keys = found.set.keysHeld(for: found.token.header) else {
      throw .keysNotHeld(issuer: loadBalancer.arn)
    }
    do { return try judge.verify(found.token, of: found.algorithm, keys: keys, at: now) } catch {
      throw .token(error)
    }
  }

  /// Verifies a token, fetching its key where it is not held.
  public func verifyFetchingKeys(
    _ compact: String, at now: NumericDate = .now
  ) async throws(OpenIDError) -> VerifiedToken {
    let found = try find(compact)
    let keys = try await found.set.keys(for: found.token.header)
    do { return try judge.verify(found.token, of: found.algorithm, keys: keys, at: now) } catch {
      throw .token(error)
    }
  }

  /// Verifies a token, fetching its key where need be, and tells every check.
  public func explainFetchingKeys(
    _ compact: String, at now: NumericDate = .now
  ) async throws(OpenIDError) -> Explanation {
    let found = try find(compact)
    return judge.explain(compact, keys: try await found.set.keys(for: found.token.header), at: now)
  }

  private func find(
    _ compact: String
  ) throws(OpenIDError) -> (token: UnverifiedToken, algorithm: Algorithm, set: RemoteKeySet) {
    let token: UnverifiedToken
    let algorithm: Algorithm
    let keyID: String
    do throws(JOSEError) {
      token = try judge.parse(compact)
      algorithm = try judge.judgeHeader(token)
      keyID = try Self.keyID(token.header)
    } catch {
      throw .token(error)
    }
    guard token.header["signer"]?.string == loadBalancer.arn else {
      throw ClaimFault.profileMismatch(
        name: "signer", found: token.header["signer"]?.string, expected: [loadBalancer.arn]
      ).error
    }
    return (token, algorithm, try set(keyID))
  }

  // The name becomes part of an address: it is a UUID, and nothing else.
  package static func keyID(_ header: JOSEHeader) throws(JOSEError) -> String {
    let keyID = header.keyID ?? ""
    guard UUIDText.isUUID(keyID) else {
      throw .ruleBroken(ClaimFault.claimInvalid(name: "kid", rule: "of the header is no UUID").refusal)
    }
    return keyID
  }

  private func set(_ keyID: String) throws(OpenIDError) -> RemoteKeySet {
    let address = try WebAddress(loadBalancer.keysAddress + keyID)
    let now = clock()
    let found = state.withLock { state -> RemoteKeySet? in
      if let set = state.sets[keyID] { return set }
      guard now >= state.nextSearch else { return nil }
      // Someone may be making up names.
      state.nextSearch = now + rules.coolDown
      // A name that no key was found for is forgotten, or it would be asked for again beside this one.
      state.order.removeAll { name in
        guard state.sets[name]?.held == nil else { return false }
        state.sets[name] = nil
        return true
      }
      if state.order.count >= Self.capacity { state.sets[state.order.removeFirst()] = nil }
      let set = RemoteKeySet(
        .pem(address, keyID: keyID), fetcher: fetcher, rules: rules, logger: logger, clock: clock)
      state.sets[keyID] = set
      state.order.append(keyID)
      return set
    }
    guard let found else { throw .keysNotHeld(issuer: loadBalancer.arn) }
    return found
  }
}

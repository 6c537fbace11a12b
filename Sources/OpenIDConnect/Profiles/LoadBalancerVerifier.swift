internal import TokenSecurityPlatform
internal import TokenSecurityEncodings
public import HTTPExchange
public import JOSE
public import Logging
internal import Synchronization

/// Verifies what an Application Load Balancer says of a user (`x-amzn-oidc-data`).
///
/// Its tokens are padded, which no other is, and each key lies at an address of its own. Fetches of keys that are not
/// cached are limited, see ``RemoteKeySetConfiguration/coolDown``; tokens whose header names another load balancer fetch nothing.
public final class LoadBalancerVerifier: Sendable {
  /// The load balancer.
  public let loadBalancer: LoadBalancer

  private let judge: PolicyVerifier
  private let transport: any HTTPTransport
  private let rules: RemoteKeySetConfiguration
  private let logger: Logger
  private let clock: @Sendable () -> Int64
  private let state: Mutex<LoadBalancerKeys>

  /// A verifier for this load balancer.
  ///
  /// - Parameters:
  ///   - loadBalancer: which one. Without it anyone's load balancer could send users.
  ///   - clientID: the client id that it has at the provider.
  ///   - issuer: the provider; not judged unless said, since the load balancer has one for each rule.
  ///   - transport: the HTTP client that fetches keys.
  ///   - rules: how keys are fetched and held.
  ///   - logger: where what happens to the keys is told; nowhere unless said otherwise.
  public convenience init(
    _ loadBalancer: LoadBalancer, clientID: Expectation<String>,
    issuer: Expectation<String> = .unchecked(because: "the signer is judged"),
    transport: any HTTPTransport, rules: RemoteKeySetConfiguration = RemoteKeySetConfiguration(),
    logger: Logger = .silent
  ) throws(OpenIDError) {
    try self.init(
      loadBalancer, clientID: clientID, issuer: issuer, transport: transport, rules: rules, logger: logger
    ) { SystemClock.bootSeconds }
  }

  package init(
    _ loadBalancer: LoadBalancer, clientID: Expectation<String>, issuer: Expectation<String>,
    transport: any HTTPTransport, rules: RemoteKeySetConfiguration, logger: Logger,
    clock: @escaping @Sendable () -> Int64
  ) throws(OpenIDError) {
    self.loadBalancer = loadBalancer
    self.transport = transport
    // A name that no key is found for is asked for again no sooner than another one would be.
    var rules = rules
    rules.firstBackOff = max(rules.firstBackOff, rules.coolDown)
    rules.longestBackOff = max(rules.longestBackOff, rules.coolDown)
    self.rules = rules
    self.logger = logger
    self.clock = clock
    state = Mutex(LoadBalancerKeys(coolDown: rules.coolDown.wholeSeconds))
    do { judge = try PolicyVerifier(loadBalancer.policy(clientID: clientID, issuer: issuer)) } catch {
      throw .token(error)
    }
  }

  /// Verifies a token by the keys that are held, without waiting.
  public func verify(_ compact: String, at now: NumericDate = .now) throws(OpenIDError) -> VerifiedToken {
    let found = try find(compact)
    guard let keys = found.set.cachedKeys(for: found.token.header) else {
      throw .keysNotHeld(issuer: loadBalancer.arn)
    }
    return try verify(found, keys, at: now)
  }

  /// Verifies a token, fetching its key where it is not held.
  public func verifyFetchingKeys(
    _ compact: String, at now: NumericDate = .now
  ) async throws(OpenIDError) -> VerifiedToken {
    let found = try find(compact)
    return try verify(found, try await found.set.keys(for: found.token.header), at: now)
  }

  /// Verifies a token, fetching its key where need be, and tells every check.
  public func explainFetchingKeys(
    _ compact: String, at now: NumericDate = .now
  ) async throws(OpenIDError) -> Explanation {
    let found = try find(compact)
    return judge.explain(compact, keys: try await found.set.keys(for: found.token.header), at: now)
  }

  private struct Found {
    let token: UnverifiedToken
    let algorithm: Algorithm
    let keyID: ExactString
    let set: RemoteKeySet
    let isProved: Bool
  }

  private func verify(
    _ found: Found, _ keys: PreparedKeys, at now: NumericDate
  ) throws(OpenIDError) -> VerifiedToken {
    let verified: VerifiedToken
    do { verified = try judge.verify(found.token, of: found.algorithm, keys: keys, at: now) } catch {
      throw .token(error)
    }
    if !found.isProved { state.withLock { $0.noteProof(of: found.keyID) } }
    return verified
  }

  private func find(_ compact: String) throws(OpenIDError) -> Found {
    let token: UnverifiedToken
    let algorithm: Algorithm
    let keyID: String
    do throws(JOSEError) {
      token = try judge.parse(compact)
      algorithm = try judge.verifyHeader(token)
      keyID = try Self.keyID(token.header)
    } catch {
      throw .token(error)
    }
    guard token.header["signer"]?.string == loadBalancer.arn else {
      throw ClaimError.profileMismatch(
        name: "signer", actual: token.header["signer"]?.string, expected: [loadBalancer.arn]
      ).error
    }
    let address = try HTTPURL(openID: loadBalancer.keysAddress + keyID)
    let name = ExactString(keyID)
    let found = state.withLock { keys in
      keys.set(of: name, at: clock()) {
        RemoteKeySet(
          .pem(address, keyID: keyID), transport: transport, rules: rules, logger: logger, clock: clock)
      }
    }
    guard let found else { throw .keysNotHeld(issuer: loadBalancer.arn) }
    return Found(
      token: token, algorithm: algorithm, keyID: name, set: found.set, isProved: found.isProved)
  }

  // The name becomes part of an address: it is a UUID, and nothing else.
  package static func keyID(_ header: JOSEHeader) throws(JOSEError) -> String {
    let keyID = header.keyID ?? ""
    guard UUIDText.isUUID(keyID) else {
      throw .ruleBroken(ClaimError.claimInvalid(name: "kid", rule: "of the header is no UUID").refusal)
    }
    return keyID
  }
}

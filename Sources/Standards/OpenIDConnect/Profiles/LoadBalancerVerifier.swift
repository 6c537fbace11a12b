public import HTTPExchange
public import JOSE
public import Logging
internal import Synchronization
internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// Verifies the user claims of an Application Load Balancer (`x-amzn-oidc-data`).
///
/// Its tokens are padded, and each key has a separate URL. Fetches of keys that are not cached are limited,
/// see ``RemoteKeySetConfiguration/coolDown``. A token of another load balancer causes no fetch.
public final class LoadBalancerVerifier: Sendable {
  /// The load balancer.
  public let loadBalancer: LoadBalancer

  private let verifier: PolicyVerifier
  private let transport: any HTTPTransport
  private let configuration: RemoteKeySetConfiguration
  private let logger: Logger
  private let clock: @Sendable () -> Int64
  private let state: Mutex<LoadBalancerKeys>

  /// A verifier for this load balancer.
  ///
  /// - Parameters:
  ///   - loadBalancer: the load balancer. Tokens of any other are refused.
  ///   - clientID: the client id of the load balancer at the provider.
  ///   - issuer: the expected provider. Default: unchecked, since each rule of a load balancer may have
  ///     another.
  ///   - transport: the HTTP client that fetches keys.
  ///   - configuration: how keys are fetched and cached.
  ///   - logger: the logger for key-set events. Default: none.
  /// - Throws: `token` if the policy is invalid.
  public convenience init(
    _ loadBalancer: LoadBalancer, clientID: Expectation<String>,
    issuer: Expectation<String> = .unchecked(because: "the signer is checked"),
    transport: any HTTPTransport, configuration: RemoteKeySetConfiguration = RemoteKeySetConfiguration(),
    logger: Logger = .silent
  ) throws(OpenIDError) {
    try self.init(
      loadBalancer, clientID: clientID, issuer: issuer, transport: transport, configuration: configuration,
      logger: logger
    ) { SystemClock.bootSeconds }
  }

  package init(
    _ loadBalancer: LoadBalancer, clientID: Expectation<String>, issuer: Expectation<String>,
    transport: any HTTPTransport, configuration: RemoteKeySetConfiguration, logger: Logger,
    clock: @escaping @Sendable () -> Int64
  ) throws(OpenIDError) {
    self.loadBalancer = loadBalancer
    self.transport = transport
    // A key that was not found is fetched again no sooner than another key would be.
    var configuration = configuration
    configuration.firstBackOff = max(configuration.firstBackOff, configuration.coolDown)
    configuration.longestBackOff = max(configuration.longestBackOff, configuration.coolDown)
    self.configuration = configuration
    self.logger = logger
    self.clock = clock
    state = Mutex(LoadBalancerKeys(coolDown: configuration.coolDown.wholeSeconds))
    do { verifier = try PolicyVerifier(loadBalancer.policy(clientID: clientID, issuer: issuer)) } catch {
      throw .token(error)
    }
  }

  /// Verifies a token with cached keys, without waiting.
  public func verify(_ compact: String, at now: NumericDate = .now) throws(OpenIDError) -> VerifiedToken {
    let found = try find(compact)
    guard let keys = found.set.cachedKeys(for: found.token.header) else {
      throw .keysNotCached(issuer: loadBalancer.arn)
    }
    return try verify(found, keys, at: now)
  }

  /// Verifies a token, and fetches its key if it is not cached.
  public func verifyFetchingKeys(
    _ compact: String, at now: NumericDate = .now
  ) async throws(OpenIDError) -> VerifiedToken {
    let found = try find(compact)
    return try verify(found, try await found.set.keys(for: found.token.header), at: now)
  }

  /// Reports the outcome of every check, and fetches the key if it is not cached.
  public func explainFetchingKeys(
    _ compact: String, at now: NumericDate = .now
  ) async throws(OpenIDError) -> Explanation {
    let found = try find(compact)
    return verifier.explain(compact, keys: try await found.set.keys(for: found.token.header), at: now)
  }

  private struct Found {
    let token: UnverifiedToken
    let algorithm: Algorithm
    let keyID: ExactString
    let set: RemoteKeySet
    let isProven: Bool
  }

  private func verify(
    _ found: Found, _ keys: PreparedKeys, at now: NumericDate
  ) throws(OpenIDError) -> VerifiedToken {
    let verified: VerifiedToken
    do { verified = try verifier.verify(found.token, of: found.algorithm, keys: keys, at: now) } catch {
      throw .token(error)
    }
    if !found.isProven { state.withLock { $0.noteProof(of: found.keyID) } }
    return verified
  }

  private func find(_ compact: String) throws(OpenIDError) -> Found {
    let token: UnverifiedToken
    let algorithm: Algorithm
    let keyID: String
    do throws(JOSEError) {
      token = try verifier.parse(compact)
      algorithm = try verifier.verifyHeader(token)
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
          .pem(address, keyID: keyID), transport: transport, configuration: configuration, logger: logger,
          clock: clock)
      }
    }
    guard let found else { throw .keysNotCached(issuer: loadBalancer.arn) }
    return Found(
      token: token, algorithm: algorithm, keyID: name, set: found.set, isProven: found.isProven)
  }

  // The key id becomes part of a URL: only a UUID is accepted.
  package static func keyID(_ header: JOSEHeader) throws(JOSEError) -> String {
    let keyID = header.keyID ?? ""
    guard UUIDText.isUUID(keyID) else {
      throw .ruleBroken(ClaimError.claimInvalid(name: "kid", rule: "of the header must be a UUID").refusal)
    }
    return keyID
  }
}

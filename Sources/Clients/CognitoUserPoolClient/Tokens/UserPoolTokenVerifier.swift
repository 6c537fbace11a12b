internal import OpenIDConnect
internal import TokenLifetime
internal import TokenSecurityBase

/// Verifies a pool's tokens: signature, issuer, use, client and times. Keys are fetched from the pool's endpoint, those of
/// AWS's second issuer from below it, and cached.
struct UserPoolTokenVerifier: Sendable {
  private let verifier: OpenIDVerifier

  /// - Parameters:
  ///   - pool: the pool.
  ///   - transport: the HTTP client.
  ///   - keyTimeout: the longest fetch of keys; nil for that of `RemoteKeySetConfiguration`.
  /// - Throws: `configurationInvalid`.
  init(pool: UserPool, transport: any HTTPTransport, keyTimeout: Duration?) throws(UserPoolClientError) {
    do throws(OpenIDError) {
      // The rules of a pool of AWS, which has the issuers and key sets of both forms.
      let rules = CognitoUserPoolRules(
        pool: try CognitoUserPoolIssuer(pool.id), use: .either, clientIDs: .oneOf([pool.client.id]))
      var policy = rules.policy
      policy.issuer = .oneOf(pool.acceptedIssuers)
      // Not below the issuer: a service can have another public name than the address that it is called at.
      let keys = try KeySetLocation.address("\(pool.endpoint.address)/\(pool.id)/.well-known/jwks.json")
      var configuration = RemoteKeySetConfiguration()
      // The endpoint is plain for this machine only.
      configuration.allowsPlainLoopback = true
      if let keyTimeout { configuration.timeout = keyTimeout }
      var issuer = TrustedIssuer(policy: policy, keys: .remote(keys))
      if pool.endpoint.isAWS {
        let accepted = Set(pool.acceptedIssuers.map { ExactString($0) })
        issuer.separateKeys = try rules.separateKeys.filter { accepted.contains($0.key) }
      }
      verifier = try OpenIDVerifier([issuer], transport: transport, configuration: configuration)
    } catch {
      throw .configurationInvalid(rule: "\(error)")
    }
  }

  /// Verifies the tokens of a response or of a store.
  ///
  /// - Throws: `tokenRefused` for a token that breaks a rule; `unreachable` if there are no keys to decide it.
  func verify(_ issued: IssuedTokens, at now: Timestamp) async throws(UserPoolClientError) -> UserPoolTokens {
    let id = try await verify(issued.idToken, at: now)
    return try UserPoolTokens(id: id, access: try await verify(issued.accessToken, at: now))
  }

  private func verify(_ compact: String, at now: Timestamp) async throws(UserPoolClientError) -> VerifiedToken
  {
    do throws(OpenIDError) {
      return try await verifier.verifyFetchingKeys(compact, at: now)
    } catch {
      if error.isRefusal { throw .tokenRefused("\(error)") }
      throw Task.isCancelled ? .cancelled : .unreachable("\(error)")
    }
  }
}

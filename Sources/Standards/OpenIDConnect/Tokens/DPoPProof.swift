public import HTTPExchange
public import JOSE
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Rules for DPoP proofs (RFC 9449 section 4.3).
public struct DPoPRules: Sendable {
  /// The accepted algorithms. Default: all asymmetric ones.
  public var algorithms: Set<Algorithm>
  /// The maximum age of a proof. Default: 60 seconds.
  public var maximumAge: Duration
  /// The accepted clock difference, 0 to 300 seconds. Default: 5 seconds.
  public var leeway: Duration
  /// Returns true if a proof is new; false refuses it. Called for proofs that passed all other checks, with
  /// the last instant at which the proof could be accepted and the current time. The name is `dpop:` and a
  /// digest of the key's thumbprint and `jti`.
  public var isNew: @Sendable (_ name: String, _ until: NumericDate, _ now: NumericDate) -> Bool

  /// Rules with default values.
  ///
  /// - Parameter isNew: returns true if a proof is new. ``TokenReplayCache/insert(_:until:at:)`` does this for one
  ///   process.
  public init(
    isNew: @escaping @Sendable (_ name: String, _ until: NumericDate, _ now: NumericDate) -> Bool
  ) {
    self.isNew = isNew
    algorithms = Algorithm.asymmetric
    maximumAge = .seconds(60)
    leeway = .seconds(5)
  }

  /// How long a proof can be accepted, in seconds: its age, and the clock difference on both sides.
  private var lifetime: Int64 {
    maximumAge.wholeSeconds.saturatingSum(leeway.wholeSeconds.saturatingProduct(2))
  }

  /// A cache for one process, as large in time as the default rules need.
  package static func replays(capacity: Int) -> TokenReplayCache {
    TokenReplayCache(capacity: capacity, longestLifetime: .seconds(DPoPRules { _, _, _ in false }.lifetime))
  }

  /// Verifies a proof.
  ///
  /// - Parameters:
  ///   - compact: the request's `DPoP` header. The server must refuse requests with several.
  ///   - method: the request's method.
  ///   - address: the request's URL as the client sees it. Query and fragment are ignored.
  ///   - accessToken: the access token of the request, of a policy whose `binding` accepts `jkt`: `ath` must be its
  ///     hash, and its `cnf.jkt` the thumbprint of the proof's key. Nil at a token endpoint.
  ///   - nonce: the nonce that the server issued (section 8).
  ///   - now: the current time.
  /// - Returns: the verified proof.
  /// - Throws: `token` with the rule that the proof breaks.
  public func verify(
    _ compact: String, method: String, address: HTTPURL, accessToken: VerifiedToken?,
    nonce: Expectation<String> = .unchecked(because: "no nonce was issued"), at now: NumericDate = .now
  ) throws(OpenIDError) -> DPoPProof {
    try verify(
      compact, method: method, address: address,
      accessToken: accessToken.map { ($0.compact, $0.claims["cnf"]?.object?["jkt"]?.string) }, nonce: nonce,
      at: now)
  }

  /// The same for the text of a verified access token, and the `jkt` that it has.
  package func verify(
    _ compact: String, method: String, address: HTTPURL, accessToken: (compact: String, thumbprint: String?)?,
    nonce: Expectation<String>, at now: NumericDate
  ) throws(OpenIDError) -> DPoPProof {
    let proof: VerifiedToken
    let thumbprint: String
    do throws(JOSEError) {
      let token = try UnverifiedToken(compact)
      let key = try Self.key(in: token.header)
      var policy = policy(method, address, accessToken?.compact, nonce)
      policy.signature.keySources = .ignored(because: "a proof contains its key (RFC 9449 section 4.2)")
      proof = try TokenVerifier(keys: JWKSet(key), policy: policy).verify(token, at: now)
      thumbprint = try key.thumbprint()
    } catch {
      throw .token(error)
    }
    if let accessToken, accessToken.thumbprint?.isIdentical(to: thumbprint) != true {
      throw ClaimError.notBound.error
    }
    let name = ReplayName.make(proof.claims.tokenID ?? "", of: thumbprint, kind: "dpop")
    guard isNew(name, now.advanced(bySeconds: lifetime), now) else { throw ClaimError.replayed.error }
    return DPoPProof(token: proof, thumbprint: thumbprint)
  }

  private func policy(
    _ method: String, _ address: HTTPURL, _ accessToken: String?, _ nonce: Expectation<String>
  ) -> TokenPolicy {
    let none = "a proof has none"
    var policy = TokenPolicy(
      issuer: .unchecked(because: none), audience: .unchecked(because: none), algorithms: algorithms)
    policy.signature.type = "dpop+jwt"
    policy.expiration = .optional(because: none)
    policy.maximumLifetime = .unchecked(because: "the age is checked")
    policy.maximumAge = .atMost(maximumAge)
    policy.leeway = leeway
    policy.requiredClaims = ["jti"]
    // These claims say something about access tokens. A proof is only a proof, whatever else it has.
    policy.binding = .unchecked(because: "a proof is bound to its own key")
    policy.actors = .unchecked(because: none)
    SignIn(nonce: nonce).apply(to: &policy)
    policy.checks += [Self.method(method), Self.address(address)]
    if let accessToken { policy.checks.append(Self.hash(of: accessToken)) }
    return policy
  }

  // Section 4.3, checks 6 and 7: a public key.
  private static func key(in header: JOSEHeader) throws(JOSEError) -> JWK {
    func refuse(_ reason: String) -> JOSEError { .ruleBroken(ClaimError.proofKey(reason).refusal) }
    guard let value = header["jwk"], value.object != nil else { throw refuse("the header has no \"jwk\"") }
    var key: JWK
    // Private members are refused by name: computations with untrusted private numbers have no bound.
    do { key = try JWK(json: value.description, form: .publicRequired) } catch { throw refuse("\(error)") }
    // The proof has no `kid` to select the key by.
    key.keyID = nil
    return key
  }

  private static func method(_ expected: String) -> TokenCheck {
    TokenCheck(
      "htm", reference: "RFC 9449 section 4.3", expected: expected.quoted,
      actual: { claims, _ in claims["htm"]?.string?.quoted ?? "absent" },
      refusal: { claims, _, _ in
        let actual = claims["htm"]?.string ?? ""
        return actual.utf8.elementsEqual(expected.utf8)
          ? nil : ClaimError.proofMismatch(name: "htm", actual: actual, expected: expected).refusal
      })
  }

  // Compared after RFC 3986's syntax-based and scheme-based normalisation, without query and fragment.
  private static func address(_ url: HTTPURL) -> TokenCheck {
    let expected = url.origin + url.normalizedPath
    return TokenCheck(
      "htu", reference: "RFC 9449 section 4.3", expected: expected.quoted,
      actual: { claims, _ in claims["htu"]?.string?.quoted ?? "absent" },
      refusal: { claims, _, _ in
        let text = claims["htu"]?.string ?? ""
        // The rest need not be valid: it is not compared.
        let address = String(
          Substring(text.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }))
        guard let actual = try? HTTPURL(address), actual.origin + actual.normalizedPath == expected else {
          return ClaimError.proofMismatch(name: "htu", actual: text, expected: expected).refusal
        }
        return nil
      })
  }

  private static func hash(of accessToken: String) -> TokenCheck {
    TokenCheck(
      "ath", reference: "RFC 9449 section 4.3", expected: "the hash of the access token",
      actual: { claims, _ in claims.has("ath") ? "present" : "absent" },
      refusal: { claims, _, _ in
        guard let actual = claims["ath"]?.string else { return ClaimError.hashMissing(name: "ath").refusal }
        guard let hash = try? DigestAlgorithm.sha256.hash(accessToken.utf8.span),
          ConstantTime.areEqual(actual.utf8.span, Base64URL.string(hash).utf8.span)
        else { return ClaimError.hashMismatch(name: "ath").refusal }
        return nil
      })
  }
}

/// A verified proof: the sender has the private key and made the proof for this request.
public struct DPoPProof: Sendable, Hashable {
  /// The proof.
  public let token: VerifiedToken
  /// The SHA-256 thumbprint of the key (RFC 7638), as in `cnf.jkt`.
  public let thumbprint: String
}

internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
public import HTTPExchange
public import JOSE
internal import TokenLifetime

/// What is demanded of proofs of possession (RFC 9449 section 4.3).
public struct DPoPRules: Sendable {
  /// The algorithms that may be used: every one with a key pair unless said otherwise.
  public var algorithms: Set<Algorithm>
  /// The longest ago that a proof may have been made. Default: 60 seconds.
  public var maximumAge: Duration
  /// How far the users' clocks may differ, 0 to 300 seconds. Default: 5 seconds.
  public var leeway: Duration
  /// Asked for each proof that passed all other checks whether its name is new, with the last instant at which the proof
  /// could be accepted and the present. The name is `dpop:` and a digest of the key's thumbprint and `jti`. False
  /// refuses the proof.
  public var isNew: @Sendable (_ name: String, _ until: NumericDate, _ now: NumericDate) -> Bool

  /// Rules with their defaults.
  ///
  /// - Parameter isNew: whether a proof is new. ``ReplayMemory/admit(_:until:at:)`` answers it for one process.
  public init(
    isNew: @escaping @Sendable (_ name: String, _ until: NumericDate, _ now: NumericDate) -> Bool
  ) {
    self.isNew = isNew
    algorithms = Algorithm.asymmetric
    maximumAge = .seconds(60)
    leeway = .seconds(5)
  }

  /// Verifies a proof.
  ///
  /// - Parameters:
  ///   - compact: the `DPoP` header field of the request; a request with several is refused by its server.
  ///   - method: the request's method.
  ///   - address: the request's address as the client sees it; query and fragment do not matter.
  ///   - accessToken: the access token that came along: `ath` must be its hash, and its `cnf.jkt` the
  ///     thumbprint of the proof's key. Nil at a token endpoint.
  ///   - nonce: the nonce that the server gave out (section 8), where it did.
  ///   - now: the instant that the proof is judged at.
  public func verify(
    _ compact: String, method: String, address: HTTPURL, accessToken: VerifiedToken?,
    nonce: Expectation<String> = .unchecked(because: "no nonce was given out"), at now: NumericDate = .now
  ) throws(OpenIDError) -> DPoPProof {
    let key: JWK
    let proof: VerifiedToken
    do throws(JOSEError) {
      let token = try UnverifiedToken(compact)
      key = try Self.key(in: token.header)
      var policy = policy(method, address, accessToken?.compact, nonce)
      policy.signature.keySources = .ignored(because: "a proof brings its key along (RFC 9449 section 4.2)")
      proof = try TokenVerifier(keys: JWKSet(key), policy: policy).verify(token, at: now)
    } catch {
      throw .token(error)
    }
    let thumbprint: String
    do { thumbprint = try key.thumbprint() } catch { throw .token(error) }
    if let accessToken {
      guard accessToken.claims["cnf"]?.object?["jkt"]?.string == thumbprint else {
        throw ClaimError.notBound.error
      }
    }
    let until = now.advanced(
      bySeconds:
        maximumAge.wholeSeconds.saturatingSum(leeway.wholeSeconds.saturatingProduct(2)))
    let name = ReplayName.make(proof.claims.tokenID ?? "", of: thumbprint, kind: "dpop")
    guard isNew(name, until, now) else {
      throw ClaimError.replayed.error
    }
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
    policy.maximumLifetime = .unchecked(because: "the age is judged")
    policy.maximumAge = .atMost(maximumAge)
    policy.leeway = leeway
    policy.requiredClaims = ["jti"]
    SignIn(nonce: nonce).apply(to: &policy)
    policy.checks += [Self.method(method), Self.address(address)]
    if let accessToken { policy.checks.append(Self.hash(of: accessToken)) }
    return policy
  }

  // Section 4.3, checks 6 and 7: a public key, and no private one.
  private static func key(in header: JOSEHeader) throws(JOSEError) -> JWK {
    func refuse(_ reason: String) -> JOSEError { .ruleBroken(ClaimError.proofKey(reason).refusal) }
    guard let value = header["jwk"], value.object != nil else { throw refuse("the header has no \"jwk\"") }
    var key: JWK
    // Private members are refused by their names: computing with private numbers that a stranger chose has no bound.
    do { key = try JWK(json: value.description, form: .publicRequired) } catch { throw refuse("\(error)") }
    // A proof's key has no name that a token could call it by.
    key.keyID = nil
    return key
  }

  private static func method(_ wanted: String) -> TokenCheck {
    TokenCheck(
      "htm", reference: "RFC 9449 section 4.3", expected: wanted.quoted,
      actual: { claims, _ in claims["htm"]?.string?.quoted ?? "absent" },
      refusal: { claims, _, _ in
        let found = claims["htm"]?.string ?? ""
        return found.utf8.elementsEqual(wanted.utf8)
          ? nil : ClaimError.proofMismatch(name: "htm", actual: found, expected: wanted).refusal
      })
  }

  // Compared after RFC 3986's syntax-based and scheme-based normalisation; query and fragment do not count.
  private static func address(_ wanted: HTTPURL) -> TokenCheck {
    let whole = wanted.origin + wanted.normalizedPath
    return TokenCheck(
      "htu", reference: "RFC 9449 section 4.3", expected: whole.quoted,
      actual: { claims, _ in claims["htu"]?.string?.quoted ?? "absent" },
      refusal: { claims, _, _ in
        let text = claims["htu"]?.string ?? ""
        let address = String(Substring(text.utf8.prefix { $0 != UInt8(ascii: "#") }))
        guard let found = try? HTTPURL(address), found.origin + found.normalizedPath == whole else {
          return ClaimError.proofMismatch(name: "htu", actual: text, expected: whole).refusal
        }
        return nil
      })
  }

  private static func hash(of accessToken: String) -> TokenCheck {
    TokenCheck(
      "ath", reference: "RFC 9449 section 4.3", expected: "the hash of the access token",
      actual: { claims, _ in claims.has("ath") ? "present" : "absent" },
      refusal: { claims, _, _ in
        guard let found = claims["ath"]?.string else { return ClaimError.hashMissing(name: "ath").refusal }
        guard let hash = try? DigestAlgorithm.sha256.hash(accessToken.utf8.span),
          ConstantTime.areEqual(found.utf8.span, Base64URL.string(hash).utf8.span)
        else { return ClaimError.hashMismatch(name: "ath").refusal }
        return nil
      })
  }
}

/// A proof that was verified: the sender has the private key, and made the proof for this request.
public struct DPoPProof: Sendable, Hashable {
  /// The proof.
  public let token: VerifiedToken
  /// The SHA-256 thumbprint of the key (RFC 7638), as `cnf.jkt` has it.
  public let thumbprint: String
}

internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
public import JOSE

/// What the answer to one sign-in must have: the ID token that comes back from the provider is judged by its
/// issuer's rules and by these.
///
///     let signIn = SignIn(nonce: .exactly(session.nonce), accessToken: response.accessToken)
///     let token = try await verifier.verifyFetchingKeys(response.idToken, answering: signIn)
public struct SignIn: Sendable {
  /// The `nonce` that was sent; `.absent` or `.unchecked` where none was.
  public var nonce: Expectation<String>
  /// The access token that came with the ID token: `at_hash` must be its hash.
  public var accessToken: String?
  /// The authorization code that came with the ID token: `c_hash` must be its hash.
  public var code: String?
  /// Whether the hashes must be there. An ID token from the token endpoint may lack them (section 3.1.3.6);
  /// one from the authorization endpoint may not (sections 3.2.2.9 and 3.3.2.11).
  public var hashes: TokenPolicy.Presence
  /// The `max_age` that was sent: the longest ago that the user may have signed in, in seconds. `auth_time` must
  /// then be there.
  public var maximumAge: Limit

  /// What one sign-in's answer must have.
  public init(
    nonce: Expectation<String>, accessToken: String? = nil, code: String? = nil,
    hashes: TokenPolicy.Presence = .required, maximumAge: Limit = .unchecked(because: "no max_age was sent")
  ) {
    self.nonce = nonce
    self.accessToken = accessToken
    self.code = code
    self.hashes = hashes
    self.maximumAge = maximumAge
  }

  /// Adds what the sign-in demands to `policy`.
  public func apply(to policy: inout TokenPolicy) {
    policy.checks.append(nonceCheck)
    let isDemanded = hashes == .required
    if let accessToken {
      policy.checks.append(HashClaim.accessToken.check(of: accessToken, isDemanded: isDemanded))
    }
    if let code { policy.checks.append(HashClaim.code.check(of: code, isDemanded: isDemanded)) }
    guard let longest = maximumAge.longest else { return }
    // An issuer's own limit stays where it is the shorter one.
    if let limit = policy.maximumAuthenticationAge.longest, limit <= longest { return }
    policy.maximumAuthenticationAge = maximumAge
  }

  private var nonceCheck: TokenCheck {
    let nonce = self.nonce
    let demand =
      switch nonce {
      case .oneOf: "the one that was sent"
      case .absent: "absent"
      case .unchecked(let reason): "not asked (\(reason))"
      }
    return TokenCheck(
      "nonce", reference: "OpenID Connect Core section 3.1.3.7", expected: demand,
      actual: { claims, _ in claims.has("nonce") ? "present" : "absent" },
      refusal: { claims, _, _ in
        switch nonce {
        case .unchecked: return nil
        case .absent: return claims.has("nonce") ? ClaimError.nonceUnexpected.refusal : nil
        case .oneOf(let wanted):
          guard let value = claims["nonce"] else { return ClaimError.nonceMissing.refusal }
          guard let found = value.string,
            wanted.contains(where: { ConstantTime.areEqual($0.utf8.span, found.utf8.span) })
          else { return ClaimError.nonceMismatch.refusal }
          return nil
        }
      })
  }
}

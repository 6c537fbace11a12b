public import JOSE
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The values of one sign-in that its ID token must match, in addition to the rules of its issuer.
///
///     let signIn = SignIn(nonce: .exactly(session.nonce), accessToken: response.accessToken)
///     let token = try await verifier.verifyFetchingKeys(response.idToken, signIn: signIn)
public struct SignIn: Sendable {
  /// The `nonce` that was sent; `.absent` or `.unchecked` if none was sent.
  public var nonce: Expectation<String>
  /// The access token that came with the ID token: `at_hash` must be its hash.
  public var accessToken: String?
  /// The authorization code that came with the ID token: `c_hash` must be its hash.
  public var code: String?
  /// Whether the hashes are required. They are optional from the token endpoint (section 3.1.3.6) and
  /// required from the authorization endpoint (sections 3.2.2.9 and 3.3.2.11).
  public var hashes: TokenPolicy.Presence
  /// The `max_age` that was sent: the maximum time since the user signed in. It makes `auth_time` required.
  public var maximumAge: Limit

  /// The values of one sign-in.
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

  /// Adds the rules of this sign-in to `policy`.
  public func apply(to policy: inout TokenPolicy) {
    policy.checks.append(nonceCheck)
    let isRequired = hashes == .required
    if let accessToken {
      policy.checks.append(HashClaim.accessToken.check(of: accessToken, isRequired: isRequired))
    }
    if let code { policy.checks.append(HashClaim.code.check(of: code, isRequired: isRequired)) }
    guard let longest = maximumAge.longest else { return }
    // A shorter limit of the issuer stays.
    if let limit = policy.maximumAuthenticationAge.longest, limit <= longest { return }
    policy.maximumAuthenticationAge = maximumAge
  }

  private var nonceCheck: TokenCheck {
    let nonce = self.nonce
    return TokenCheck(
      "nonce", reference: "OpenID Connect Core section 3.1.3.7",
      // A nonce is not printed.
      expected: nonce.values.isEmpty ? nonce.inWords : "the one that was sent",
      actual: { claims, _ in claims.has("nonce") ? "present" : "absent" },
      refusal: { claims, _, _ in
        switch nonce {
        case .unchecked: return nil
        case .absent: return claims.has("nonce") ? ClaimError.nonceUnexpected.refusal : nil
        case .oneOf(let expected):
          guard let value = claims["nonce"] else { return ClaimError.nonceMissing.refusal }
          guard let actual = value.string,
            expected.contains(where: { ConstantTime.areEqual($0.utf8.span, actual.utf8.span) })
          else { return ClaimError.nonceMismatch.refusal }
          return nil
        }
      })
  }
}

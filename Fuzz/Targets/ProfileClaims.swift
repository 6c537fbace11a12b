import JOSE
import OpenIDConnect

/// Signed claims of any shape with every profile: verification and explanation agree, and accepted tokens can
/// be read.
private let key = try? JWK(
  json:
    #"{"kty":"oct","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"}"#
)
private let signer = key.flatMap { try? JWSSigner(key: $0, algorithm: .hs256) }

private func policies() -> [TokenPolicy] {
  let id = IDTokenRules(issuers: ["i"], clientIDs: ["a"])
  var all = [id.policy]
  var signIn = id.policy
  SignIn(nonce: "n", accessToken: "t", code: "c", maximumAge: .seconds(60)).apply(to: &signIn)
  all.append(signIn)
  all.append(AccessTokenRules(issuers: ["i"], audiences: ["a"], clientIDs: "c", scopes: ["s"]).policy)
  all.append(LogoutTokenRules(issuers: ["i"], clientIDs: ["a"]) { _, _, _ in true }.policy)
  let servers = [
    try? TrustedIssuer.okta(
      issuer: "https://o.example/oauth2/x", audiences: ["a"], clientIDs: "c", scopes: ["s"]),
    try? TrustedIssuer.auth0(
      issuer: "https://a.example/", audiences: ["a"], clientIDs: "c", permissions: ["p"]),
    try? TrustedIssuer.keycloak(issuer: "https://k.example/realms/x", audiences: ["a"], clientIDs: "c"),
  ]
  all += servers.compactMap { $0?.policy }
  if let pool = try? CognitoUserPoolIssuer("eu-west-1_A") {
    for use in CognitoUserPoolIssuer.Use.allCases {
      var rules = CognitoUserPoolRules(pool: pool, use: use, clientIDs: "a", groups: ["g"])
      rules.isRevoked = { $0 == "r" }
      all.append(rules.policy)
    }
  }
  if let pool = try? CognitoIdentityPool("us-east-1:00000000-0000-0000-0000-000000000000") {
    all.append(CognitoIdentityPoolRules(pool: pool, acceptsGuests: true).policy)
  }
  return all.map { policy in
    var policy = policy
    policy.signature.algorithms = [.hs256]
    policy.signature.type = .unchecked(because: "fuzzing")
    return policy
  }
}

private let verifiers = policies().compactMap { policy in
  key.flatMap { key in try? TokenVerifier(keys: JWKSet([key]), policy: policy) }
}

/// Runs one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0, let signer, verifiers.count == 11 else { return verifiers.count == 11 ? 0 : -1 }
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  var header = JSONObject()
  if bytes[0] & 1 == 1 { header["typ"] = "at+jwt" }
  guard let token = try? signer.sign([UInt8](bytes.dropFirst()), header: header) else { return 0 }
  let now = NumericDate(seconds: 1_767_225_600)
  for verifier in verifiers {
    let explanation = verifier.explain(token, at: now)
    do {
      let verified = try verifier.verify(token, at: now)
      precondition(explanation.result == .success(verified))
      if let logins = try? CognitoLogins(verified) {
        for login in logins.logins { precondition(login.userIdentifier?.isEmpty != true) }
      }
      if let user = try? CognitoUser(verified) {
        _ = (user.groups, user.scopes, user.roles, try? user.customAttributes)
      }
      _ = try? LogoutToken(verified)
    } catch {
      precondition(explanation.result == .failure(error))
      precondition(!error.codeText.isEmpty && error.description.utf8.count < 4_096)
    }
  }
  return 0
}

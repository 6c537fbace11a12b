// accepted
// One clock for all modules: durations are `Duration`, instants `Timestamp`, and the present is their default.
import CognitoIdentity
import JOSE
import OneTimeCodes
import SecureRemotePassword
import SigV4

func policy() -> TokenPolicy {
  var policy = TokenPolicy(issuer: "i", audience: "a")
  policy.leeway = .seconds(30)
  policy.maximumLifetime = .seconds(3600)
  policy.maximumLifetime = .hours(1)
  policy.maximumAge = .atMost(.seconds(60))
  return policy
}

func issue(_ signer: TokenSigner, _ claims: TokenClaims) throws {
  _ = try signer.issue(claims, lifetime: .seconds(900))
}

func verify(_ totp: TOTP, _ code: String) throws { _ = try totp.verify(code) }

func sign(_ credentials: Credentials) throws {
  let signer = try Signer(service: "sts", region: "us-east-1")
  let head = RequestHead("GET", "/", headers: ["Host": "h"])
  _ = try signer.sign(head, with: credentials)
  _ = try signer.sign(head, with: credentials, at: NumericDate.now)
  _ = try signer.presign(head, expiresIn: .seconds(900), with: credentials)
}

func verify(
  _ claim: CognitoPasswordClaim, _ pending: consuming CognitoPendingChallenge, _ identity: CognitoSRPIdentity
) throws {
  try CognitoSRPServer.verify(
    claim, pending: pending, identity: identity, context: [], maximumAge: .seconds(300))
}

func token(_ service: IdentityPoolService) async throws {
  _ = try await service.issueDeveloperToken(
    poolID: "p", logins: [:], duration: .seconds(60))
}

func sums(_ now: Timestamp) -> Duration { now + .seconds(900) - Timestamp.now }

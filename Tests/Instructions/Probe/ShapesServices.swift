internal import CognitoIdentity
internal import CognitoIdentityClient
internal import JOSE
internal import OneTimeCodes
internal import SecureRemotePassword
internal import SigV4
internal import TokenSecurityBase
internal import TokenSecurityCrypto

extension Shape {
  /// Sign-ins by password and one-time codes, before it is known who asks.
  static func signIns() throws -> [Shape] {
    let signIn = try SampleSignIn()
    func message(
      _ name: String, from size: Int = 2_048, ends outcome: String, _ json: @escaping (Int) -> String
    ) -> Shape {
      Shape("sign-in-" + name, from: size, ends: outcome) { size in
        let bytes = Array(json(size).utf8)
        return { _ = try CognitoChallenge(json: bytes) }
      }
    }
    return [
      // At most 64 parameters are read, so that growth shows only beyond them.
      message("many-parameters", ends: "challenge_parameters_too_many") {
        "{\"ChallengeName\":\"PASSWORD_VERIFIER\",\"ChallengeParameters\":{"
          + filled($0, separator: ",") { "\"p\($0)\":\"v\"" } + "}}"
      },
      message("members", ends: "challenge_parameter_missing") {
        "{" + filled($0, separator: ",") { "\"p\($0)\":\"v\"" } + "}"
      },
      message("long-value", ends: "ok") {
        "{\"ChallengeName\":\"PASSWORD_VERIFIER\",\"ChallengeParameters\":{\"SRP_B\":\""
          + String(repeating: "a", count: $0) + "\"}}"
      },
      Shape("sign-in-public-value", from: 180, ends: "ok") { size in
        let text = String(repeating: "f", count: size)
        return { try signIn.challenge(text) }
      },
      Shape("otpauth-uri", from: 1_000, ends: "otpauth_parameter_missing") { size in
        let text = Array(("otpauth://totp/a?" + filled(size, separator: "&") { "p\($0)=1" }).utf8)
        return { _ = try OTPAuthURI(SecretBytes(text.span)) }
      },
      Shape("otpauth-label", from: 1_000, ends: "otp_secret_too_short") { size in
        let text = Array(("otpauth://totp/" + filled(size) { _ in "%41:" } + "?secret=GEZDGNBVGY3TQOJQ").utf8)
        return { _ = try OTPAuthURI(SecretBytes(text.span)) }
      },
      Shape("one-time-code", from: 4_096, ends: "code_malformed") { size in
        let seed = Array("12345678901234567890".utf8)
        let totp = try TOTP(secret: OTPSecret(SecretBytes(seed.span)))
        let text = String(repeating: "1", count: size)
        return { _ = try totp.verify(text, at: SampleSignIn.now) }
      },
    ]
  }

  /// Identity pools: the public operations, STS, and what a device reads.
  static func identities() async throws -> [Shape] {
    let sample = try await SamplePool()
    let (service, pool) = (sample.service, sample.pool.id)
    func call(
      _ name: String, _ operation: String, ends outcome: String, _ json: @escaping (Int) -> String
    ) -> Shape {
      Shape("pool-" + name, from: 12_000, ends: outcome) { size in
        let body = Array(json(size).utf8)
        return { try await sample.call(operation, body) }
      }
    }
    func form(_ name: String, ends outcome: String, _ text: @escaping (Int) -> String) -> Shape {
      Shape("sts-" + name, from: 16_384, ends: outcome) { size in
        let body = Array(text(size).utf8)
        return { try await sample.call(form: body) }
      }
    }
    let role =
      "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleSessionName=s&RoleArn=arn:aws:iam::123456789012:role/x"
    return [
      call("members", "GetId", ends: "member_missing") {
        "{" + filled($0, separator: ",") { "\"m\($0)\":0" } + "}"
      },
      call("logins", "GetId", ends: "member_length") {
        "{\"IdentityPoolId\":\"\(pool)\",\"Logins\":{" + filled($0, separator: ",") { "\"p\($0)\":\"t\"" }
          + "}}"
      },
      call("login-name", "GetId", ends: "member_length") {
        "{\"IdentityPoolId\":\"\(pool)\",\"Logins\":{\"" + String(repeating: "a", count: $0) + "\":\"t\"}}"
      },
      call("pool-id", "GetId", ends: "member_length") {
        "{\"IdentityPoolId\":\"" + String(repeating: "a", count: $0) + "\"}"
      },
      call("token", "GetOpenIdToken", ends: "identity_unknown") {
        "{\"IdentityId\":\"\(pool)\",\"Logins\":{\"cognito-identity.amazonaws.com\":\""
          + String(repeating: "a", count: $0) + "\"}}"
      },
      form("fields", ends: "request_malformed") { filled($0, separator: "&") { "p\($0)=1" } },
      form("token", ends: "member_length") {
        role + "&WebIdentityToken=" + String(repeating: "a", count: $0)
      },
      form("percent", ends: "member_length") { role + "&WebIdentityToken=" + filled($0) { _ in "%41" } },
      Shape("trust-policy", from: 800, ends: "ok") { size in
        let statement =
          "{\"Effect\":\"Allow\",\"Principal\":{\"Federated\":\"cognito-identity.amazonaws.com\"},"
          + "\"Action\":\"sts:AssumeRoleWithWebIdentity\",\"Condition\":{\"StringEquals\":"
          + "{\"cognito-identity.amazonaws.com:aud\":[" + filled(size, separator: ",") { "\"v\($0)\"" }
          + "]}}}"
        let text = "{\"Version\":\"2012-10-17\",\"Statement\":[\(statement)]}"
        return { _ = try TrustPolicy(json: text) }
      },
      Shape("session-token", from: 1_000, ends: "session_token_invalid") { size in
        let text = "TS1." + String(repeating: "A", count: size)
        return { _ = try service.sessions.open(text, of: "ASIAAAAAAAAAAAAAAAAA", at: SampleToken.now) }
      },
    ]
  }
}

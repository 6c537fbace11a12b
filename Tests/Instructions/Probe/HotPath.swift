internal import CTokenSecurityMarks
internal import CognitoIdentity
internal import JOSE
internal import OneTimeCodes
internal import OpenIDConnect
internal import SecureRemotePassword
internal import ServiceOperations
internal import SigV4
internal import TokenSecurityCrypto

/// One hot path: what a service does for each request.
struct HotPath {
  let name: String
  /// How often the measured region does it.
  let times: Int
  let run: () async throws -> Void

  /// How often a path runs before it is measured.
  private static let warmUps = 3

  /// Runs each path a few times, so that its caches are filled, and then in a measured region.
  static func runAll() async throws {
    for path in try await all() {
      for _ in 0..<warmUps { try await path.run() }
      cost_begin()
      for _ in 0..<path.times { try await path.run() }
      cost_end()
      print("path", path.name, path.times)
    }
  }

  static func all() async throws -> [HotPath] {
    try await tokens() + requests() + signIns() + userPools() + identities() + operations()
  }

  private static func tokens() async throws -> [HotPath] {
    var paths: [HotPath] = []
    for algorithm in [Algorithm.rs256, .es256, .ed25519, .hs256] {
      let token = try SampleToken(algorithm)
      let verifier = try token.verifier()
      paths.append(
        HotPath(name: "verify-\(algorithm)", times: 50) {
          _ = try verifier.verify(token.compact, at: SampleToken.now)
        })
    }
    let signed = try SampleToken(.rs256)
    let rsaSigner = try TokenSigner(key: signed.key, type: nil)
    let signedClaims = try UnverifiedToken(signed.compact).claims
    paths.append(HotPath(name: "issue-RS256", times: 10) { _ = try rsaSigner.sign(signedClaims) })
    let repeated = try SampleToken(.rs256)
    let cached = try repeated.verifier(cache: VerifiedTokenCache())
    paths.append(
      HotPath(name: "verify-cached", times: 50) {
        _ = try cached.verify(repeated.compact, at: SampleToken.now)
      })
    let shared = try SampleToken(.hs256)
    let signer = try TokenSigner(key: shared.key, type: nil)
    let claims = try UnverifiedToken(shared.compact).claims
    paths.append(HotPath(name: "issue-HS256", times: 50) { _ = try signer.sign(claims) })
    let token = try SampleToken(.rs256)
    let remote = try await token.remoteVerifier()
    paths.append(
      HotPath(name: "openid-verify-RS256", times: 50) {
        _ = try remote.verify(token.compact, at: SampleToken.now)
      })
    return paths
  }

  private static func requests() throws -> [HotPath] {
    let request = try SampleRequest()
    return [
      HotPath(name: "sigv4-sign", times: 50) { _ = try request.sign() },
      HotPath(name: "sigv4-verify", times: 50) { try request.verify() },
    ]
  }

  private static func signIns() async throws -> [HotPath] {
    let seed = Array("12345678901234567890".utf8)
    let totp = try TOTP(secret: OTPSecret(SecretBytes(seed.span)))
    let code = try totp.code(at: SampleSignIn.now)
    let signIn = try SampleSignIn()
    return [
      HotPath(name: "totp-verify", times: 50) { _ = try totp.verify(code, at: SampleSignIn.now) },
      HotPath(name: "srp-challenge", times: 5) { try signIn.challenge() },
    ]
  }

  private static func userPools() async throws -> [HotPath] {
    let times = 5
    let pool = try await SampleUserPool(answers: warmUps + times)
    return [
      HotPath(name: "user-pool-srp-challenge", times: times) { try await pool.begin() },
      HotPath(name: "user-pool-srp-proof", times: times) { try await pool.proof() },
      HotPath(name: "user-pool-issue-tokens", times: 10) { try await pool.issueTokens() },
      HotPath(name: "user-pool-refresh", times: 10) { try await pool.refreshTokens() },
      HotPath(name: "user-pool-get-user", times: 20) { try await pool.readUser() },
      HotPath(name: "user-pool-session", times: 50) { try pool.sealSession() },
      HotPath(name: "user-pool-create", times: times) { _ = try await pool.createPool() },
      HotPath(name: "user-pool-create-with-keys", times: times) { try await pool.createPoolWithKeys() },
      HotPath(name: "user-pool-update", times: times) { try await pool.updatePool() },
    ]
  }

  private static func identities() async throws -> [HotPath] {
    let pool = try await SamplePool()
    return [
      HotPath(name: "identity-read", times: 50) { try await pool.read() },
      HotPath(name: "identity-developer-token", times: 20) { try await pool.developerToken() },
      HotPath(name: "identity-developer-call", times: 20) {
        try await pool.call("GetOpenIdTokenForDeveloperIdentity", pool.developerBody)
      },
    ]
  }

  private static func operations() throws -> [HotPath] {
    let sample = SampleOperation()
    let call = try sample.readDeveloperToken()
    return [
      HotPath(name: "operation-read", times: 50) { _ = try sample.readDeveloperToken() },
      HotPath(name: "operation-respond", times: 50) { _ = try await call.respond((), requestID: "1") },
    ]
  }
}

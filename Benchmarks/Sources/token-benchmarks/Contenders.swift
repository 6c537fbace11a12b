import CBare
import CLibJWT
import Foundation
import JOSE
import JWTKit

/// Something that verifies the token once; false where it refuses it, which ends the benchmark.
struct Contender {
  let name: String
  let run: (Int) async throws -> Bool
}

/// The claims of a Cognito access token, all of them, as a service declares them, with the checks that it
/// wants of them.
struct CognitoPayload: JWTPayload {
  let iss: IssuerClaim
  let exp: ExpirationClaim
  let iat: IssuedAtClaim
  let sub: SubjectClaim
  let jti: IDClaim
  let tokenUse: String
  let clientID: String
  let groups: [String]
  let originID: String
  let scope: String
  let authTime: Date
  let username: String

  enum CodingKeys: String, CodingKey {
    case iss, exp, iat, sub, jti, scope, username
    case tokenUse = "token_use"
    case clientID = "client_id"
    case groups = "cognito:groups"
    case originID = "origin_jti"
    case authTime = "auth_time"
  }

  func verify(using algorithm: some JWTAlgorithm) throws {
    try exp.verifyNotExpired()
    guard iss.value == Material.issuer, tokenUse == "access", clientID == Material.client,
      iat.value <= Date()
    else { throw JWTError.claimVerificationFailure(failedClaim: nil, reason: "not ours") }
  }
}

/// The same claims for this library's own decoder.
struct DecodedClaims: Decodable {
  let iss: String
  let exp: NumericDate
  let iat: NumericDate
  let sub: String
  let jti: String
  let tokenUse: String
  let clientID: String
  let groups: [String]
  let originID: String
  let scope: String
  let authTime: NumericDate
  let username: String

  typealias CodingKeys = CognitoPayload.CodingKeys
}

extension Material {
  func verifier() throws -> TokenVerifier {
    var policy = TokenPolicy(issuer: .exactly(Self.issuer), audience: .absent, algorithms: [algorithm])
    policy.claims = [
      .init("token_use", .exactly("access")), .init("client_id", .exactly(.string(Self.client))),
    ]
    return try TokenVerifier(keys: JWKSet([key]), policy: policy)
  }

  func contenders() async throws -> [Contender] {
    var all = [bare()]
    if key.kind == .symmetric { all.append(bareOnce()) }
    if algorithm == .ed25519 { all.append(bareSodium()) }
    all.append(try library("this library"))
    let verifier = try verifier()
    all.append(
      Contender(name: "this library, and the claims decoded into a type") { count in
        for _ in 0..<count { _ = try verifier.verify(token).claims.decode(DecodedClaims.self) }
        return true
      })
    let kit = JWTKeyCollection()
    if key.kind == .symmetric {
      await kit.add(
        hmac: HMACKey(from: secret), digestAlgorithm: .sha256, kid: .init(string: key.keyID ?? ""))
    } else {
      // As a service has it: the pool's key set, from which the token's kid picks the key.
      let jwk = key.publicJWK.map { JSONValue.object($0).description } ?? ""
      try await kit.add(jwksJSON: "{\"keys\":[\(jwk.replacing("Ed25519\"}", with: "EdDSA\"}"))]}")
    }
    let bytes = Array(token.utf8)
    all.append(
      Contender(name: "jwt-kit 5") { count in
        for _ in 0..<count { _ = try await kit.verify(bytes, as: CognitoPayload.self) }
        return true
      })
    all.append(
      Contender(name: "jwt-kit 5, called from the main actor") { count in
        try await Self.onMainActor(kit, bytes, count)
        return true
      })
    if algorithm != .ed25519 { all.append(libjwt()) }
    return all
  }

  func library(_ name: String) throws -> Contender {
    let verifier = try verifier()
    return Contender(name: name) { count in
      for _ in 0..<count { _ = try verifier.verify(token) }
      return true
    }
  }

  /// As a command-line program calls it: each call leaves the main actor and comes back.
  @MainActor private static func onMainActor(
    _ kit: JWTKeyCollection, _ bytes: [UInt8], _ count: Int
  ) async throws {
    for _ in 0..<count { _ = try await kit.verify(bytes, as: CognitoPayload.self) }
  }

  private func bare() -> Contender {
    if key.kind == .symmetric {
      let mac = bare_mac_new(secret, secret.count)
      return Contender(name: "bare libcrypto") { count in
        for _ in 0..<count
        where bare_mac_verify(mac, signingInput, signingInput.count, self.signature) != 1 { return false }
        return true
      }
    }
    let verifier = bare_verifier_new(publicPEM, algorithm == .ed25519 ? 0 : 1)
    let form = librarySignature
    return Contender(name: "bare libcrypto") { count in
      for _ in 0..<count
      where bare_verify(verifier, signingInput, signingInput.count, form, form.count) != 1 {
        return false
      }
      return true
    }
  }

  private func bareSodium() -> Contender {
    let verifier = bare_verifier_new(publicPEM, 0)
    return Contender(name: "bare libsodium") { count in
      for _ in 0..<count
      where bare_sodium_verify(verifier, signingInput, signingInput.count, signature) != 1 { return false }
      return true
    }
  }

  private func bareOnce() -> Contender {
    Contender(name: "bare libcrypto, HMAC() in one call") { count in
      for _ in 0..<count
      where bare_hmac_once(secret, secret.count, signingInput, signingInput.count, signature) != 1 {
        return false
      }
      return true
    }
  }

  /// Signature by jwt_decode; libjwt 1.10 leaves the claims to its caller.
  private func libjwt() -> Contender {
    let material = key.kind == .symmetric ? secret : Array(publicPEM.utf8)
    let name = [Algorithm.rs256: JWT_ALG_RS256, .es256: JWT_ALG_ES256, .hs256: JWT_ALG_HS256][algorithm]
    return Contender(name: "libjwt") { count in
      for _ in 0..<count {
        var jwt: OpaquePointer? = nil
        guard jwt_decode(&jwt, token, material, Int32(material.count)) == 0 else { return false }
        defer { jwt_free(jwt) }
        guard jwt_get_alg(jwt) == name, strcmp(jwt_get_grant(jwt, "iss"), Self.issuer) == 0,
          strcmp(jwt_get_grant(jwt, "token_use"), "access") == 0,
          strcmp(jwt_get_grant(jwt, "client_id"), Self.client) == 0,
          jwt_get_grant_int(jwt, "exp") > time(nil), jwt_get_grant_int(jwt, "iat") <= time(nil)
        else { return false }
      }
      return true
    }
  }
}

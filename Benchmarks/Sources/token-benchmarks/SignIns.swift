import BigInt
import CBare
import Crypto
import Foundation
import JOSE
import SecureRemotePassword

/// A sign-in to a user pool by password, each side for itself, beside the powers that it cannot do without.
struct SignIns: Sendable {
  static let poolID = "eu-west-1_AbCdEfGhI"
  static let id = "0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53"

  let app: CognitoAppClient
  let users: CognitoSimulatedUsers
  let now = Timestamp(since1970: .seconds(1_788_598_987))
  /// The context of the challenges.
  static let context = ["PASSWORD_VERIFIER", poolID, "1h57kf5cpq17m0eml12EXAMPLE", id]
  /// Bytes instead of a sealed secret block.
  static let block = [UInt8](repeating: 7, count: 100)

  init() throws {
    app = try CognitoAppClient(id: "1h57kf5cpq17m0eml12EXAMPLE")
    users = try CognitoSimulatedUsers(key: SecretBytes.random(count: 32), identity: .uuid)
  }

  static func identity() throws -> CognitoSRPIdentity {
    try .user(userPoolID: poolID, userIDForSRP: id)
  }

  func user() throws -> CognitoSRPRecord {
    let verifier = try CognitoVerifier(
      identity: Self.identity(), password: SecretBytes(Array("Tr0ub4dor&3".utf8).span), salt: [UInt8](1...16))
    return CognitoSRPRecord(identity: try Self.identity(), verifier: verifier)
  }

  func begin() throws -> CognitoPasswordSignIn {
    try CognitoPasswordSignIn(userPoolID: Self.poolID, client: app, username: "alice")
  }

  /// The server's part of a challenge: the request's A, the user's or a simulated record, B and the key.
  func answer(
    _ request: CognitoAuthRequest, _ user: consuming CognitoSRPRecord?, _ key: consuming CognitoServerKey
  ) throws -> CognitoServerChallenge {
    let publicKey = try CognitoNumber.publicKey(hexadecimal: request.parameters["SRP_A"] ?? "")
    let record = try users.record(of: user, userPoolID: Self.poolID, canonicalUsername: "alice")
    return try CognitoSRPServer.challenge(
      publicKey: publicKey, record: record, key: key, context: Self.context)
  }

  /// A challenge as it is sent, and the bytes that the server keeps.
  func challenge(_ request: CognitoAuthRequest) throws -> (message: CognitoChallenge, pending: Pending) {
    let record = try user()
    let salt = CognitoNumber.hexadecimal(record.verifier.salt)
    let made = try answer(request, record, CognitoServerKey())
    let message = CognitoChallenge(
      name: "PASSWORD_VERIFIER",
      parameters: [
        "SALT": salt, "SRP_B": CognitoNumber.hexadecimal(made.publicKey),
        "SECRET_BLOCK": Data(Self.block).base64EncodedString(), "USER_ID_FOR_SRP": Self.id,
        "USERNAME": Self.id,
      ])
    return (message, Pending(made.pending.bytes()))
  }

  /// The bytes of a pending challenge.
  final class Pending: Sendable {
    let bytes: SecretBytes
    init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
  }

  /// The computation that the server cannot do without.
  static func serverPowers() -> [Contender] {
    let powers = bare_powers_new()
    return [
      Contender(name: "server: bare powers (two of 512 bits, one of 256)") { count in
        for _ in 0..<count where bare_server_powers(powers) != 1 { return false }
        return true
      }
    ]
  }

  static func contenders() async throws -> [Contender] {
    let bench = Box(try SignIns())
    let powers = bare_powers_new()
    let record = try bench.value.user()
    let (salt, verifier) = (
      record.verifier.salt, record.verifier.value.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    )
    @Sendable func known() throws -> CognitoSRPRecord {
      CognitoSRPRecord(
        identity: try identity(),
        verifier: try CognitoVerifier(salt: salt, value: SecretBytes(verifier.span)))
    }
    let stamp = bench.value.now
    let request = try bench.value.begin().request
    let challenge = try bench.value.challenge(request).message
    return [
      Contender(name: "client: bare powers (two of 1,024 bits, one of 256)") { count in
        for _ in 0..<count where bare_client_powers(powers) != 1 { return false }
        return true
      },
      Contender(name: "client: A, key, signature") { count in
        let password = SecretBytes(Array("Tr0ub4dor&3".utf8).span)
        for _ in 0..<count {
          let signIn = try bench.value.begin()
          _ = try signIn.respond(to: challenge, password: password, at: stamp)
        }
        return true
      },
      try WholeSignIns(challenge).contender(),
      serverPowers()[0],
      Contender(name: "server: all of it") { count in
        for _ in 0..<count {
          _ = try bench.value.answer(request, known(), CognitoServerKey())
        }
        return true
      },
      Contender(name: "server: the part before the user is known") { count in
        for _ in 0..<count { _ = try CognitoServerKey() }
        return true
      },
      Contender(name: "server: all of it, user unknown") { count in
        for _ in 0..<count {
          _ = try bench.value.answer(request, nil, CognitoServerKey())
        }
        return true
      },
      Contender(name: "client: swift-crypto with attaswift/BigInt") { count in
        for _ in 0..<count { _ = try BigIntSignIn().respond(challenge) }
        return true
      },
    ]
  }

  /// A reference to a sign-in, which several closures cannot capture directly.
  final class Box: @unchecked Sendable {
    let value: SignIns
    init(_ value: consuming SignIns) { self.value = value }
  }
}

/// The client as a Swift service would write it today: attaswift/BigInt for the numbers, swift-crypto for the hashes.
struct BigIntSignIn {
  static let n = BigUInt(String(cString: bare_prime()), radix: 16) ?? 0
  static let k = BigUInt(Data(SHA256.hash(data: padded(n) + padded(2))))

  let a = BigUInt.randomInteger(withExactWidth: 1_024)

  static func padded(_ number: BigUInt) -> Data {
    let bytes = number.serialize()
    return (bytes.first ?? 0) & 0x80 == 0 ? bytes : [0] + bytes
  }

  func respond(_ challenge: CognitoChallenge) throws -> String {
    let n = Self.n
    let publicKey = BigUInt(2).power(a, modulus: n)
    guard let b = challenge.parameters["SRP_B"].flatMap({ BigUInt($0, radix: 16) }),
      let salt = challenge.parameters["SALT"].flatMap({ BigUInt($0, radix: 16) }),
      let block = challenge.parameters["SECRET_BLOCK"].flatMap({ Data(base64Encoded: $0) })
    else { return "" }
    let u = BigUInt(Data(SHA256.hash(data: Self.padded(publicKey) + Self.padded(b))))
    let inner = SHA256.hash(data: Data("AbCdEfGhI\(SignIns.id):Tr0ub4dor&3".utf8))
    let x = BigUInt(Data(SHA256.hash(data: Self.padded(salt) + Data(inner))))
    let verifier = Self.k * BigUInt(2).power(x, modulus: n) % n
    let s = ((b + n - verifier) % n).power(a + u * x, modulus: n)
    let key = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: Self.padded(s)), salt: Self.padded(u),
      info: Data("Caldera Derived Key".utf8),
      outputByteCount: 16)
    let message = Data("AbCdEfGhI\(SignIns.id)".utf8) + block + Data("Sat Sep 5 09:03:07 UTC 2026".utf8)
    return Data(HMAC<SHA256>.authenticationCode(for: message, using: key)).base64EncodedString()
  }
}

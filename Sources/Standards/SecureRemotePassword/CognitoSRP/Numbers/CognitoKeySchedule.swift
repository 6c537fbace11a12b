internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Cognito's computations: SRP-6a with its own group, number encoding and key derivation.
enum CognitoKeySchedule {
  /// The 3,072-bit prime of RFC 3526 with g = 2 (RFC 5054 uses g = 5 with it).
  static var group: ModularGroup {
    get throws(SRPError) { try prepared.get().group }
  }

  /// Runs `body` with the group and k = H(N | g), where N has a sign byte and g is one byte.
  static func withMultiplier<Result: ~Copyable>(
    _ body: (ModularGroup, borrowing Number) throws(CryptoError) -> Result
  ) throws(SRPError) -> Result {
    let prepared = try prepared.get()
    do { return try body(prepared.group, prepared.multiplier) } catch { throw SRPError(error) }
  }

  private final class Prepared: Sendable {
    let group: ModularGroup
    let multiplier: Number

    init() throws(CryptoError) {
      group = try ModularGroup(modulus: ModularGroup.KnownPrime.bits3072.bytes, generator: [2])
      var digest = try RunningDigest(.sha256)
      try digest.update(CognitoNumber.signed(group.modulus))
      try digest.update(CognitoNumber.signed(group.generator))
      multiplier = try Number(digest.finish())
    }
  }

  private static let prepared = prepare()

  private static func prepare() -> Result<Prepared, SRPError> {
    do { return .success(try Prepared()) } catch { return .failure(SRPError(error)) }
  }

  /// u = H(A | B).
  static func scramblingParameter(client: [UInt8], server: [UInt8]) throws(SRPError) -> [UInt8] {
    try ExchangeArithmetic.scramblingParameter(
      .sha256, client: CognitoNumber.signed(client), server: CognitoNumber.signed(server))
  }

  /// x = H(salt | H(realm | identity | ":" | password)).
  static func passwordExponent(
    _ identity: CognitoSRPIdentity, password: borrowing SecretBytes, salt: [UInt8]
  ) throws(CryptoError) -> Number {
    try ExchangeArithmetic.passwordExponent(
      .sha256, identity: identity.bytes, password: password, salt: CognitoNumber.signed(salt))
  }

  /// The signing key of 16 bytes: HKDF-SHA256 of S with u as the salt.
  static func key(
    _ secret: borrowing SecretBytes, scramblingParameter: [UInt8]
  ) throws(CryptoError) -> SecretBytes {
    // One more byte, for the sign.
    let padded = SecretBytes(count: secret.count + 1) { output in
      secret.withBytes { secret in for index in secret.indices { output[index + 1] = secret[index] } }
    }
    let salt = CognitoNumber.signed(scramblingParameter)
    return try KeyDerivation.hkdf(
      padded, from: padded.numberStart(signed: true), salt: salt.span, info: "Caldera Derived Key", count: 16)
  }

  /// HMAC-SHA256(key, realm | identity | secret block | timestamp).
  static func signature(
    _ key: borrowing SecretBytes, _ identity: CognitoSRPIdentity, secretBlock: [UInt8], timestamp: String
  ) throws(CryptoError) -> [UInt8] {
    let message = identity.bytes + secretBlock + Array(timestamp.utf8)
    return try MessageAuthenticator(key: key, digest: .sha256).authenticate(message.span)
  }

  /// Checks ``signature(_:_:secretBlock:timestamp:)`` in constant time.
  static func verify(
    _ signature: [UInt8], _ key: borrowing SecretBytes, _ identity: CognitoSRPIdentity, secretBlock: [UInt8],
    timestamp: String
  ) throws(CryptoError) -> Bool {
    guard signature.count == DigestAlgorithm.sha256.size else { return false }
    let message = identity.bytes + secretBlock + Array(timestamp.utf8)
    return try MessageAuthenticator(key: key, digest: .sha256).check(signature.span, over: message.span)
  }
}

public import TokenSecurityCrypto

/// The client of a sign-in: sends A, then the proof M1, then checks the server's proof M2 and returns the key
/// K.
///
/// ```swift
/// let client = try SRPClient(parameters)
/// send(name, client.publicKey)                                        // A
/// let proof = try client.respond(identity: name, password: password, salt: salt, serverPublicKey: b)
/// send(proof.proof)                                                   // M1
/// let key = try proof.verify(serverProof: m2)                         // K, the same on both sides
/// ```
///
/// Each step consumes the previous one, so that no step can be repeated or skipped.
public struct SRPClient: ~Copyable, Sendable {
  /// A = g^a, big-endian, as long as N.
  public let publicKey: [UInt8]

  private let parameters: SRPParameters
  private let privateKey: Number

  /// Draws a random a and computes A.
  ///
  /// - Parameter parameters: the parameters that both sides use.
  /// - Throws: `randomUnavailable`, `libraryFailure`.
  public init(_ parameters: SRPParameters) throws(SRPError) {
    try self.init(
      parameters,
      privateKey: SRPError.of { () throws(CryptoError) in
        try Number.random(bits: parameters.group.exponentBits)
      })
  }

  /// Same with a given a, for test vectors.
  package init(_ parameters: SRPParameters, privateKey: consuming Number) throws(SRPError) {
    publicKey = try ExchangeArithmetic.publicKey(parameters.group.arithmetic, privateKey)
    self.parameters = parameters
    self.privateKey = privateKey
  }

  /// Computes the proof of the password. Both sides must use the same bytes for identity and password; see
  /// the module `PasswordPreparation`.
  ///
  /// - Parameters:
  ///   - identity: I, at most 2,048 bytes.
  ///   - password: P, at most 4,096 bytes.
  ///   - salt: s, 1 to 1,024 bytes.
  ///   - serverPublicKey: B, big-endian.
  /// - Returns: M1, and the state that checks M2.
  /// - Throws: `publicKeyZero`, `publicKeyTrivial`, `publicKeyTooLong`, `publicKeyOutOfRange`,
  ///   `scramblingParameterZero`, `empty`, `tooLong`, all before the password is used; `libraryFailure`.
  public consuming func respond(
    identity: [UInt8], password: borrowing SecretBytes, salt: [UInt8], serverPublicKey: [UInt8]
  ) throws(SRPError) -> SRPClientProof {
    try parameters.group.check(serverPublicKey, of: .server)
    try SRPLimits.check(salt: salt)
    try SRPLimits.check(identity.count, .identity, SRPLimits.identity)
    try SRPLimits.check(password.count, .password, SRPLimits.password)
    let u = try parameters.scramblingParameter(client: publicKey, server: serverPublicKey)
    let secret = try SRPError.of { () throws(CryptoError) in
      let x = try parameters.passwordExponent(identity: identity, password: password, salt: salt)
      return try ExchangeArithmetic.clientSecret(
        parameters.group.arithmetic, multiplier: parameters.prepared.multiplier,
        serverPublicKey: serverPublicKey, privateKey: privateKey, passwordExponent: x, scramblingParameter: u)
    }
    let key = try SRPError.of { () throws(CryptoError) in try parameters.sessionKey(secret) }
    let clientProof = try SRPError.of { () throws(CryptoError) in
      try parameters.clientProof(
        identity: identity, salt: salt, client: publicKey, server: serverPublicKey, key: key)
    }
    let proof = clientProof.withBytes { Declassification.of([UInt8](unwipedCopy: $0)) }
    let expected = try SRPError.of { () throws(CryptoError) in
      try parameters.serverProof(client: publicKey, clientProof: proof, key: key)
    }
    return SRPClientProof(
      proof: proof, premasterSecret: secret, key: key, expected: expected, scramblingParameter: u)
  }
}

/// The client after M1 is computed, waiting for M2.
public struct SRPClientProof: ~Copyable, Sendable {
  /// M1, to send.
  public let proof: [UInt8]

  /// S, as long as N, from which TLS-SRP derives keys. The server is not authenticated yet.
  package let premasterSecret: SecretBytes
  /// u.
  package let scramblingParameter: [UInt8]
  private let key: SecretBytes
  private let expected: SecretBytes

  fileprivate init(
    proof: [UInt8], premasterSecret: consuming SecretBytes, key: consuming SecretBytes,
    expected: consuming SecretBytes, scramblingParameter: [UInt8]
  ) {
    self.proof = proof
    self.premasterSecret = premasterSecret
    self.key = key
    self.expected = expected
    self.scramblingParameter = scramblingParameter
  }

  /// Checks M2 in constant time. Only a server with the verifier can compute it.
  ///
  /// - Parameter serverProof: M2.
  /// - Returns: K.
  /// - Throws: `proofMismatch`.
  public consuming func verify(serverProof: [UInt8]) throws(SRPError) -> SecretBytes {
    let isValid = expected.withBytes { ConstantTime.areEqual(serverProof.span, $0) }
    guard isValid else { throw .proofMismatch }
    return key.clone()
  }
}

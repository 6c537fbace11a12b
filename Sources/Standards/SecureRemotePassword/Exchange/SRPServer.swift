public import TokenSecurityCrypto

/// The server of a sign-in before the user is known: b, and g^b, the server's costliest exponentiation. It
/// can be created ahead of time.
///
/// ```swift
/// let server = try SRPServer(parameters)                              // ahead of time
/// let challenge = try server.challenge(identity: name, verifier: record)
/// send(challenge.salt, challenge.publicKey)                           // s, B
/// let session = try challenge.verify(clientPublicKey: a, proof: m1)
/// send(session.proof)                                                 // M2
/// let key = session.takeKey()                                         // K, the same on both sides
/// ```
public struct SRPServer: ~Copyable, Sendable {
  private let parameters: SRPParameters
  private let privateKey: Number
  private let power: Number

  /// Draws a random b and computes g^b.
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

  /// Same with a given b, for test vectors.
  package init(_ parameters: SRPParameters, privateKey: consuming Number) throws(SRPError) {
    let group = parameters.group.arithmetic
    let power: Number
    do { power = try group.power(ofGenerator: privateKey) } catch { throw SRPError(error) }
    self.parameters = parameters
    self.privateKey = privateKey
    self.power = power
  }

  /// Creates the challenge: the salt and B = k v + g^b.
  ///
  /// - Parameters:
  ///   - identity: I, at most 2,048 bytes.
  ///   - verifier: the stored salt and verifier.
  /// - Returns: the challenge to send.
  /// - Throws: `tooLong`, `libraryFailure`.
  public consuming func challenge(
    identity: [UInt8], verifier: borrowing SRPVerifier
  ) throws(SRPError) -> SRPServerChallenge {
    try SRPLimits.check(identity.count, .identity, SRPLimits.identity)
    let group = parameters.group
    let publicKey: [UInt8]
    do {
      publicKey = try ExchangeArithmetic.serverPublicKey(
        group.arithmetic, multiplier: parameters.prepared.multiplier, verifier: Number(verifier.value),
        power: power
      ).publicBytes(count: group.size)
    } catch { throw SRPError(error) }
    // Fails with probability 1 / N.
    try group.check(publicKey, of: .server)
    return SRPServerChallenge(
      identity: identity, salt: verifier.salt, publicKey: publicKey, verifier: verifier.value.clone(),
      parameters: parameters, privateKey: privateKey)
  }
}

/// The server after s and B are computed, waiting for A and M1.
public struct SRPServerChallenge: ~Copyable, Sendable {
  /// s, to send.
  public let salt: [UInt8]
  /// B, big-endian, as long as N, to send.
  public let publicKey: [UInt8]

  private let identity: [UInt8]
  private let verifier: SecretBytes
  private let parameters: SRPParameters
  private let privateKey: Number

  fileprivate init(
    identity: [UInt8], salt: [UInt8], publicKey: [UInt8], verifier: consuming SecretBytes,
    parameters: SRPParameters, privateKey: consuming Number
  ) {
    self.identity = identity
    self.salt = salt
    self.publicKey = publicKey
    self.verifier = verifier
    self.parameters = parameters
    self.privateKey = privateKey
  }

  /// Checks M1 in constant time.
  ///
  /// - Parameters:
  ///   - clientPublicKey: A, big-endian.
  ///   - proof: M1.
  /// - Returns: M2 and K.
  /// - Throws: `publicKeyZero`, `publicKeyTrivial`, `publicKeyTooLong`, `publicKeyOutOfRange`,
  ///   `scramblingParameterZero`, all before secrets are used; `proofMismatch`; `libraryFailure`.
  public consuming func verify(
    clientPublicKey: [UInt8], proof: [UInt8]
  ) throws(SRPError) -> SRPServerSession {
    try parameters.group.check(clientPublicKey, of: .client)
    let u = try parameters.scramblingParameter(client: clientPublicKey, server: publicKey)
    let secret = try SRPError.of { () throws(CryptoError) in
      try ExchangeArithmetic.serverSecret(
        parameters.group.arithmetic, clientPublicKey: clientPublicKey, verifier: Number(verifier),
        privateKey: privateKey, scramblingParameter: u)
    }
    let key = try SRPError.of { () throws(CryptoError) in try parameters.sessionKey(secret) }
    let expected = try SRPError.of { () throws(CryptoError) in
      try parameters.clientProof(
        identity: identity, salt: salt, client: clientPublicKey, server: publicKey, key: key)
    }
    let isValid = expected.withBytes { ConstantTime.areEqual(proof.span, $0) }
    guard isValid else { throw .proofMismatch }
    let serverProof = try SRPError.of { () throws(CryptoError) in
      try parameters.serverProof(client: clientPublicKey, clientProof: proof, key: key)
    }
    return SRPServerSession(
      proof: serverProof.withBytes { Declassification.of([UInt8](unwipedCopy: $0)) }, premasterSecret: secret,
      key: key)
  }
}

/// The server after the client has proved its password.
public struct SRPServerSession: ~Copyable, Sendable {
  /// M2, to send.
  public let proof: [UInt8]

  /// S, as long as N.
  package let premasterSecret: SecretBytes
  private let key: SecretBytes

  fileprivate init(proof: [UInt8], premasterSecret: consuming SecretBytes, key: consuming SecretBytes) {
    self.proof = proof
    self.premasterSecret = premasterSecret
    self.key = key
  }

  /// K, the same on both sides.
  ///
  /// - Returns: the session key.
  public consuming func takeKey() -> SecretBytes { key }
}

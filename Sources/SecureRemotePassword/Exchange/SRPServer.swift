public import TokenSecurityCrypto

/// The server's side of a sign-in, before it is known who comes: b and g^b, the dearest of the server's powers, can be
/// made ahead of time.
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

  /// Draws b and computes g^b.
  ///
  /// Throws `randomUnavailable`, `libraryFailure`.
  public init(_ parameters: SRPParameters) throws(SRPError) {
    try self.init(
      parameters,
      SRPError.of { () throws(CryptoError) in
        try Number.random(bits: parameters.group.exponentBits)
      })
  }

  /// The same with b given, for published values.
  package init(_ parameters: SRPParameters, privateKey: borrowing SecretBytes) throws(SRPError) {
    try self.init(
      parameters, SRPError.of { () throws(CryptoError) in try Number(privateKey) })
  }

  private init(_ parameters: SRPParameters, _ privateKey: consuming Number) throws(SRPError) {
    let group = parameters.group.arithmetic
    let power: Number
    do { power = try group.power(ofGenerator: privateKey) } catch { throw SRPError(error) }
    self.parameters = parameters
    self.privateKey = privateKey
    self.power = power
  }

  /// The challenge for `identity`: the salt and B = k v + g^b.
  ///
  /// Throws `tooLong`, `libraryFailure`.
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
    // One chance in N.
    try group.check(publicKey, of: .server)
    return SRPServerChallenge(
      identity: identity, salt: verifier.salt, publicKey: publicKey, verifier: verifier.value.clone(),
      parameters: parameters, privateKey: privateKey)
  }
}

/// The server's side when s and B are sent and A and M1 are awaited.
public struct SRPServerChallenge: ~Copyable, Sendable {
  /// s, to be sent.
  public let salt: [UInt8]
  /// B, big-endian, as long as N, to be sent.
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

  /// Checks M1 in constant time and gives M2 and K.
  ///
  /// Throws `publicKeyZero`, `publicKeyTrivial`, `publicKeyTooLong`, `publicKeyOutOfRange`, `scramblingParameterZero`,
  /// before anything secret is touched; `proofMismatch`; `libraryFailure`.
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
    let holds = expected.withBytes { ConstantTime.areEqual(proof.span, $0) }
    guard holds else { throw .proofMismatch }
    let answer = try SRPError.of { () throws(CryptoError) in
      try parameters.serverProof(client: clientPublicKey, clientProof: proof, key: key)
    }
    return SRPServerSession(
      proof: answer.withBytes { Declassification.of([UInt8](unwipedCopy: $0)) }, premasterSecret: secret,
      key: key)
  }
}

/// The server's side when the client has proved that it knows the password.
public struct SRPServerSession: ~Copyable, Sendable {
  /// M2, to be sent.
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
  public consuming func takeKey() -> SecretBytes { key }
}

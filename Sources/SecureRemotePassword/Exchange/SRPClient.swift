public import TokenSecurityCrypto

/// The client's side of a sign-in: first A, then the proof M1, then the server's proof M2 checked and the key K.
///
/// ```swift
/// let client = try SRPClient(parameters)
/// send(name, client.publicKey)                                        // A
/// let proof = try client.respond(identity: name, password: password, salt: salt, serverPublicKey: b)
/// send(proof.proof)                                                   // M1
/// let key = try proof.verify(serverProof: m2)                         // K, the same on both sides
/// ```
///
/// Each step uses the one before up: none can be taken twice or out of order.
public struct SRPClient: ~Copyable, Sendable {
  /// A = g^a, big-endian, as long as N.
  public let publicKey: [UInt8]

  private let parameters: SRPParameters
  private let privateKey: Number

  /// Draws a and computes A.
  ///
  /// Throws `randomUnavailable`, `libraryFailure`.
  public init(_ parameters: SRPParameters) throws(SRPError) {
    try self.init(
      parameters,
      privateKey: SRPError.of { () throws(CryptoError) in
        try Number.random(bits: parameters.group.exponentBits)
      })
  }

  /// The same with a given, for published values.
  package init(_ parameters: SRPParameters, privateKey: borrowing SecretBytes) throws(SRPError) {
    try self.init(
      parameters, privateKey: SRPError.of { () throws(CryptoError) in try Number(privateKey) })
  }

  private init(_ parameters: SRPParameters, privateKey: consuming Number) throws(SRPError) {
    let group = parameters.group.arithmetic
    let publicKey = try SRPPublicKeys.power(group, privateKey)
    self.parameters = parameters
    self.privateKey = privateKey
    self.publicKey = publicKey
  }

  /// Takes the server's challenge and gives the proof that the password is known.
  ///
  /// `identity`, `password`: bytes as the two sides have agreed on, of at most 2,048 and 4,096; nothing is changed in
  /// them. `salt`: 1 to 1,024 bytes. `serverPublicKey`: B, big-endian.
  ///
  /// Throws `publicKeyZero`, `publicKeyTrivial`, `publicKeyTooLong`, `publicKeyOutOfRange`, `scramblingParameterZero`,
  /// `empty`, `tooLong`, before the password is touched; `libraryFailure`.
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
    let mine = try SRPError.of { () throws(CryptoError) in
      try parameters.clientProof(
        identity: identity, salt: salt, client: publicKey, server: serverPublicKey, key: key)
    }
    let proof = mine.withBytes { Declassification.of([UInt8](unwipedCopy: $0)) }
    let expected = try SRPError.of { () throws(CryptoError) in
      try parameters.serverProof(client: publicKey, clientProof: proof, key: key)
    }
    return SRPClientProof(
      proof: proof, premasterSecret: secret, key: key, expected: expected, scramblingParameter: u)
  }
}

/// The client's side when M1 is made and M2 is awaited.
public struct SRPClientProof: ~Copyable, Sendable {
  /// M1, to be sent.
  public let proof: [UInt8]

  /// S, as long as N: what TLS-SRP makes its keys of. The other side has not proved anything yet.
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

  /// Checks M2 in constant time and gives K. A server without the verifier cannot have made M2.
  ///
  /// Throws `proofMismatch`.
  public consuming func verify(serverProof: [UInt8]) throws(SRPError) -> SecretBytes {
    let holds = expected.withBytes { ConstantTime.areEqual(serverProof.span, $0) }
    guard holds else { throw .proofMismatch }
    return key.clone()
  }
}

/// Public numbers of a private one.
package enum SRPPublicKeys {
  /// g to the power of `privateKey`, as long as N.
  package static func power(_ group: ModularGroup, _ privateKey: borrowing Number) throws(SRPError) -> [UInt8]
  {
    do {
      return try group.power(ofGenerator: privateKey).publicBytes(count: group.size)
    } catch { throw SRPError(error) }
  }
}

public import TokenSecurityBase
package import TokenSecurityCrypto

/// A JSON Web Key (RFC 7517), or a key read from another form.
///
/// Its properties are public. The secret of a private or shared key is exported only by ``privateJWK()`` and
/// ``privatePEM()``.
public struct JWK: Sendable {
  /// `kid`, the name by which tokens refer to the key.
  public var keyID: String?
  /// `use`. Only keys without it or with `sig` are used.
  public let use: String?
  /// `key_ops`, such as `sign` and `verify`.
  public let operations: [String]?
  /// `alg`, the only algorithm that the key may be used with.
  public let algorithmName: String?
  /// `x5c`: certificates in DER. The first is for this key; nothing else of them is checked.
  public let certificates: [[UInt8]]
  /// `x5t#S256`: the SHA-256 digest of the first certificate.
  public let certificateThumbprint: [UInt8]?

  /// Tolerated deviations from the standards.
  var readingWarnings: Set<JWKSet.Warning.Kind> = []
  package let material: Material

  package enum Material: Sendable {
    case publicKey(PublicKey)
    case privateKey(PrivateKey)
    case shared(RetainedSecret)

    var publicKey: PublicKey? {
      switch self {
      case .publicKey(let key): key
      case .privateKey(let key): key.publicKey
      case .shared: nil
      }
    }
  }

  package init(
    material: Material, keyID: String? = nil, use: String? = nil, operations: [String]? = nil,
    algorithmName: String? = nil, certificates: [[UInt8]] = [],
    certificateThumbprint: [UInt8]? = nil
  ) {
    self.material = material
    self.keyID = keyID
    self.use = use
    self.operations = operations
    self.algorithmName = algorithmName
    self.certificates = certificates
    self.certificateThumbprint = certificateThumbprint
  }

  /// The kind of a key: `crv`, or `kty` for keys without a curve.
  public enum Kind: ExactString, Sendable, Hashable {
    /// An RSA key.
    case rsa = "RSA"
    /// An EC key on P-256.
    case p256 = "P-256"
    /// An EC key on P-384.
    case p384 = "P-384"
    /// An EC key on P-521.
    case p521 = "P-521"
    /// An EC key on secp256k1.
    case secp256k1
    /// An Edwards key on Ed25519.
    case ed25519 = "Ed25519"
    /// An Edwards key on Ed448.
    case ed448 = "Ed448"
    /// A shared secret.
    case symmetric = "oct"
  }

  /// The kind of this key.
  public var kind: Kind {
    guard let publicKey else { return .symmetric }
    return switch publicKey.components {
    case .rsa: .rsa
    case .ellipticCurve(.p256, _, _): .p256
    case .ellipticCurve(.p384, _, _): .p384
    case .ellipticCurve(.p521, _, _): .p521
    case .ellipticCurve(.secp256k1, _, _): .secp256k1
    case .edwards(.ed25519, _): .ed25519
    case .edwards(.ed448, _): .ed448
    }
  }

  /// The size in bits: of the modulus, of the curve's field, of the secret.
  public var bits: Int {
    switch material {
    case .publicKey(let key): key.bits
    case .privateKey(let key): key.publicKey.bits
    case .shared(let secret): secret.bytes.count * 8
    }
  }

  /// True if the key can sign: a private key or a shared secret.
  public var isPrivate: Bool {
    if case .publicKey = material { false } else { true }
  }

  /// The public key; nil for a shared secret.
  public var publicOnly: JWK? {
    guard let publicKey else { return nil }
    return JWK(
      material: .publicKey(publicKey), keyID: keyID, use: use, operations: publicOperations,
      algorithmName: algorithmName, certificates: certificates,
      certificateThumbprint: certificateThumbprint)
  }

  package var publicKey: PublicKey? { material.publicKey }

  /// The algorithms that the key may be used with: those of its type, reduced to `alg` if it has one. Both
  /// names of an Edwards curve's algorithm count as one.
  public var algorithms: [Algorithm] {
    Algorithm.allCases.filter { fits($0) && isNamed($0) }
  }

  /// True if type, curve and size fit `algorithm`.
  func fits(_ algorithm: Algorithm) -> Bool {
    if let publicKey { return algorithm.scheme(for: publicKey.components) != nil }
    guard let digest = algorithm.hmacDigest else { return false }
    return bits >= digest.size * 8
  }

  /// True if the key's `alg` allows `algorithm`.
  func isNamed(_ algorithm: Algorithm) -> Bool {
    guard let algorithmName else { return true }
    guard let named = Algorithm(name: algorithmName) else { return false }
    if named == algorithm { return true }
    let edwards: [Algorithm] = [.edDSA, .ed25519, .ed448]
    return edwards.contains(named) && edwards.contains(algorithm) && fits(named) && fits(algorithm)
  }

  /// True if the key's `alg` is for keys of another type or curve.
  var contradictsItsAlgorithm: Bool {
    guard let named = algorithmName.flatMap(Algorithm.init(name:)) else { return false }
    guard let publicKey else { return named.hmacDigest == nil }
    return named.scheme(for: publicKey.components) == nil
  }

  /// True if `use` and `key_ops` allow the key to verify signatures, or a private key or secret to make them.
  var isForSignatures: Bool {
    guard use ?? "sig" == "sig", let operations else { return use ?? "sig" == "sig" }
    return operations.contains(Operation.verify.name)
      || (isPrivate && operations.contains(Operation.sign.name))
  }

  /// The operations of the public key for those of the private one (RFC 7517 section 4.3).
  var publicOperations: [String]? {
    guard case .privateKey = material, let operations else { return operations }
    var names: [String] = []
    for name in operations {
      let name = Self.publicOperation[ExactString(name)] ?? name
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  private static let publicOperation: [ExactString: String] = [
    "sign": "verify", "decrypt": "encrypt", "unwrapKey": "wrapKey",
  ]

  /// Why the key cannot be used for `operation` with `algorithm`; nil if it can.
  func error(_ operation: Operation, _ algorithm: Algorithm) -> JOSEError? {
    if let use, use != "sig" { return .keyUseMismatch(kid: keyID, use: use) }
    if let operations, !operations.contains(operation.name) {
      return .keyOperationMismatch(kid: keyID, operation: operation.name)
    }
    if !isNamed(algorithm) {
      return .keyAlgorithmMismatch(
        kid: keyID, keyAlgorithm: algorithmName ?? "", algorithm: algorithm)
    }
    if case .shared = material, let digest = algorithm.hmacDigest, bits < digest.size * 8 {
      return .hmacKeyTooShort(bits: bits, minimum: digest.size * 8)
    }
    return fits(algorithm) ? nil : .keyTypeMismatch(kid: keyID, algorithm: algorithm)
  }

  /// An operation of `key_ops` (RFC 7517 section 4.3).
  enum Operation: ExactString {
    case sign
    case verify
  }
}

extension JWK: CustomStringConvertible {
  /// Kind and name, without the secret.
  public var description: String {
    "JWK(\(kind.name), kid: \(keyID?.quoted ?? "none")\(isPrivate ? ", private" : ""))"
  }
}

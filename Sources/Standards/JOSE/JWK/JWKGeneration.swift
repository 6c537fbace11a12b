internal import TokenSecurityBase
internal import TokenSecurityCrypto

extension JWK {
  /// Generates a key for an algorithm: an RSA key, a key on the algorithm's curve, or a secret as long as the
  /// digest.
  ///
  /// - Parameters:
  ///   - algorithm: the key's `alg`. `EdDSA` makes a key on Ed25519.
  ///   - keyID: the `kid`. Default: the thumbprint (RFC 7638), or 16 random bytes for a secret.
  ///   - rsaBits: the size of an RSA modulus, 2,048 to 8,192.
  /// - Returns: the key.
  /// - Throws: `rsaModulusSize`, or `library` if libcrypto fails.
  public static func generate(
    _ algorithm: Algorithm, keyID: String? = nil, rsaBits: Int = 2048
  ) throws(JOSEError) -> JWK {
    let material: Material
    do {
      switch algorithm {
      case .hs256, .hs384, .hs512:
        let size = algorithm.hmacDigest?.size ?? 64
        material = .shared(RetainedSecret(try random(size)))
      case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512:
        material = .privateKey(try PrivateKey(generating: .rsa(bits: rsaBits)))
      case .es256: material = .privateKey(try PrivateKey(generating: .ellipticCurve(.p256)))
      case .es384: material = .privateKey(try PrivateKey(generating: .ellipticCurve(.p384)))
      case .es512: material = .privateKey(try PrivateKey(generating: .ellipticCurve(.p521)))
      case .es256k: material = .privateKey(try PrivateKey(generating: .ellipticCurve(.secp256k1)))
      case .edDSA, .ed25519: material = .privateKey(try PrivateKey(generating: .edwards(.ed25519)))
      case .ed448: material = .privateKey(try PrivateKey(generating: .edwards(.ed448)))
      }
    } catch {
      throw JOSEError(error)
    }
    var key = JWK(material: material, keyID: keyID, use: "sig", algorithmName: algorithm.name)
    if key.keyID == nil { key.keyID = try key.defaultKeyID() }
    return key
  }

  /// The former name of ``generate(_:keyID:rsaBits:)``.
  @available(*, deprecated, renamed: "generate(_:keyID:rsaBits:)")
  public static func generate(
    for algorithm: Algorithm, keyID: String? = nil, rsaBits: Int = 2048
  ) throws(JOSEError) -> JWK {
    try generate(algorithm, keyID: keyID, rsaBits: rsaBits)
  }

  /// The same key with another `alg`: `EdDSA` for programs that do not know the names with a curve (RFC 9864).
  ///
  /// - Parameter algorithm: the algorithm, which the key must fit.
  /// - Returns: the key, with the same `kid`.
  /// - Throws: `keyTypeMismatch`.
  public func named(_ algorithm: Algorithm) throws(JOSEError) -> JWK {
    guard fits(algorithm) else { throw .keyTypeMismatch(kid: keyID, algorithm: algorithm) }
    return JWK(
      material: material, keyID: keyID, use: use, operations: operations, algorithmName: algorithm.name,
      certificates: certificates, certificateThumbprint: certificateThumbprint)
  }

  private static func random(_ count: Int) throws(CryptoError) -> SecretBytes {
    try SecretBytes(count: count) { span throws(CryptoError) in try Random.fill(&span) }
  }

  private func defaultKeyID() throws(JOSEError) -> String {
    guard case .shared = material else { return try thumbprint() }
    return try JOSEError.converting { () throws(CryptoError) in
      try Self.random(16).withBytes { span in Base64URL.string([UInt8](unwipedCopy: span)) }
    }
  }
}

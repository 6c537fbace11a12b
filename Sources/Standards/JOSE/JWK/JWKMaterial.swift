internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Reading a key's numbers, by its type (RFC 7518 section 6, RFC 8037 section 2).
extension JWKMembers {
  /// `kty`.
  private enum KeyType: ExactString {
    case rsa = "RSA"
    case ellipticCurve = "EC"
    case octetKeyPair = "OKP"
    case symmetric = "oct"
  }

  mutating func material() throws(JOSEError) -> JWK.Material {
    try checkPrivateMembers()
    guard let name = try string("kty") else { throw .keyMemberMissing(name: "kty") }
    switch KeyType(name: name) {
    case .rsa: return try rsa()
    case .ellipticCurve: return try ellipticCurve()
    case .octetKeyPair: return try edwards()
    case .symmetric: return try symmetric()
    case nil: throw .keyTypeUnknown(name)
    }
  }

  private mutating func rsa() throws(JOSEError) -> JWK.Material {
    let modulus = try number("n")
    let exponent = try number("e")
    guard try hasSecret("d") else {
      return .publicKey(
        try JOSEError.converting { () throws(CryptoError) in
          try PublicKey(.rsa(modulus: modulus, exponent: exponent))
        })
    }
    // RFC 7518 section 6.3.2.7: keys of more than two primes must be refused if they are not supported.
    guard try arrayPlace("oth") == nil else { throw .keyMemberInvalid(name: "oth") }
    var hasFactors = false
    for name in ["p", "q", "dp", "dq", "qi"] where try hasSecret(name) { hasFactors = true }
    var factors: PrivateKey.RSANumbers.Factors? = nil
    if hasFactors {
      factors = PrivateKey.RSANumbers.Factors(
        p: try secret("p"), q: try secret("q"), dp: try secret("dp"), dq: try secret("dq"),
        qInverse: try secret("qi"))
    }
    let numbers = PrivateKey.RSANumbers(privateExponent: try secret("d"), factors: factors)
    do { return .privateKey(try PrivateKey(modulus: modulus, exponent: exponent, numbers)) } catch {
      throw JOSEError(error)
    }
  }

  private mutating func ellipticCurve() throws(JOSEError) -> JWK.Material {
    guard let name = try string("crv") else { throw .keyMemberMissing(name: "crv") }
    guard let curve = EllipticCurve.allCases.first(where: { $0.joseName == name }) else {
      throw .curveUnknown(name)
    }
    let x = try coordinate("x", curve)
    let y = try coordinate("y", curve)
    guard try hasSecret("d") else {
      return .publicKey(
        try JOSEError.converting { () throws(CryptoError) in try PublicKey(.ellipticCurve(curve, x: x, y: y))
        })
    }
    let secret = try secret("d")
    guard secret.count == curve.coordinateSize else {
      throw .keyMemberLength(name: "d", expected: curve.coordinateSize, actual: secret.count)
    }
    do { return .privateKey(try PrivateKey(curve: curve, x: x, y: y, secret: secret)) } catch {
      throw JOSEError(error)
    }
  }

  private mutating func coordinate(_ name: String, _ curve: EllipticCurve) throws(JOSEError) -> [UInt8] {
    let bytes = try needed(name)
    guard bytes.count == curve.coordinateSize else {
      throw .keyMemberLength(name: name, expected: curve.coordinateSize, actual: bytes.count)
    }
    return bytes
  }

  private mutating func edwards() throws(JOSEError) -> JWK.Material {
    guard let name = try string("crv") else { throw .keyMemberMissing(name: "crv") }
    guard let curve = EdwardsCurve.allCases.first(where: { $0.joseName == name }) else {
      throw .curveUnknown(name)
    }
    let point = try needed("x")
    guard point.count == curve.keySize else {
      throw .keyMemberLength(name: "x", expected: curve.keySize, actual: point.count)
    }
    let publicKey = try JOSEError.converting { () throws(CryptoError) in try PublicKey(.edwards(curve, point))
    }
    guard try hasSecret("d") else { return .publicKey(publicKey) }
    let secret = try secret("d")
    guard secret.count == curve.keySize else {
      throw .keyMemberLength(name: "d", expected: curve.keySize, actual: secret.count)
    }
    let key: PrivateKey
    do { key = try PrivateKey(curve: curve, secret: secret) } catch { throw JOSEError(error) }
    guard key.publicKey.components == publicKey.components else { throw .keyPairMismatch }
    return .privateKey(key)
  }

  private mutating func symmetric() throws(JOSEError) -> JWK.Material {
    guard form.privateMembers == .read else { throw .keyNotPublic(member: "k") }
    return try HMACSecret.material(secret("k"))
  }
}

extension EllipticCurve {
  /// The name in JOSE's registry.
  var joseName: String {
    switch self {
    case .p256: "P-256"
    case .p384: "P-384"
    case .p521: "P-521"
    case .secp256k1: "secp256k1"
    }
  }
}

extension EdwardsCurve {
  /// The name in JOSE's registry.
  var joseName: String {
    switch self {
    case .ed25519: "Ed25519"
    case .ed448: "Ed448"
    }
  }
}

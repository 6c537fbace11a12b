internal import CryptoPrimitives
internal import Encodings

extension JWK {
  /// Reads a JWK from its JSON text (RFC 7517 section 4, RFC 7518 section 6, RFC 8037 section 2).
  ///
  /// Members that are not known are passed over. Numbers must be written in the one form that the
  /// standard allows: shortest for RSA, the curve's full length for coordinates.
  public init(json: borrowing SecretBytes) throws(JOSEError) {
    self = try JSONDocument.reading(json) { document throws(JOSEError) in try JWK(document, at: 0) }
  }

  /// Reads a JWK from text. For private keys, prefer the form that takes `SecretBytes`.
  public init(json text: String) throws(JOSEError) {
    try self.init(json: SecretBytes(text.utf8.span))
  }

  init(
    _ document: JSONDocument, at place: Int, form: KeyForm = .standard
  ) throws(JOSEError) {
    guard document.kind(at: place) == .object else {
      throw .keySetInvalid(rule: "a key is not an object")
    }
    let members = JWKMembers(document: document, object: place, form: form)
    guard let type = try members.string("kty") else { throw .keyMemberMissing(name: "kty") }
    switch type {
    case "RSA": material = try members.rsa()
    case "EC": material = try members.ellipticCurve()
    case "OKP": material = try members.edwards()
    case "oct": material = try members.symmetric()
    default: throw .keyTypeUnknown(type)
    }
    keyID = try members.string("kid")
    use = try members.string("use")
    operations = try members.strings("key_ops")
    algorithmName = try members.string("alg")
    certificateThumbprint = try members.bytes("x5t#S256")
    certificates = try members.certificates()
    try judgeOperations()
    try judgeCertificates()
  }

  private func judgeOperations() throws(JOSEError) {
    guard let operations else { return }
    guard Set(operations).count == operations.count else {
      throw .keyOperationsInvalid(rule: "an operation is named twice")
    }
    let forSignatures = operations.contains("sign") || operations.contains("verify")
    if let use, (use == "sig") != forSignatures, use == "sig" || use == "enc" {
      throw .keyOperationsInvalid(rule: "they contradict \"use\"")
    }
  }

  private func judgeCertificates() throws(JOSEError) {
    guard let first = certificates.first else { return }
    guard let mine = publicKey, let theirs = try? KeyDER.certificate(first),
      mine.components == theirs.components
    else { throw .certificateMismatch }
    guard let certificateThumbprint else { return }
    let digest: [UInt8]
    do { digest = try DigestAlgorithm.sha256.hash(first.span) } catch { throw JOSEError(error) }
    guard digest == certificateThumbprint else { throw .certificateThumbprintMismatch }
  }
}

/// The members of one key in a JSON text, read as its type wants them.
private struct JWKMembers {
  let document: JSONDocument
  let object: Int
  let form: KeyForm

  func string(_ name: String) throws(JOSEError) -> String? {
    guard let place = document.member(name, of: object) else { return nil }
    guard let text = document.string(at: place) else { throw .keyMemberInvalid(name: name) }
    return text
  }

  func strings(_ name: String) throws(JOSEError) -> [String]? {
    guard let place = document.member(name, of: object) else { return nil }
    guard let strings = document.value(at: place).strings else {
      throw .keyMemberInvalid(name: name)
    }
    return strings
  }

  func bytes(_ name: String) throws(JOSEError) -> [UInt8]? {
    guard let place = document.member(name, of: object) else { return nil }
    guard document.kind(at: place) == .string, !document.isEscaped(at: place) else {
      throw .keyMemberInvalid(name: name)
    }
    do {
      return try document.withBytes(at: place) { text throws(BaseEncodingError) in
        try Base64URL.decode(text)
      }
    } catch {
      throw .keyMemberInvalid(name: name)
    }
  }

  private func needed(_ name: String) throws(JOSEError) -> [UInt8] {
    guard let bytes = try bytes(name) else { throw .keyMemberMissing(name: name) }
    return bytes
  }

  private func secret(_ name: String) throws(JOSEError) -> SecretBytes {
    guard var bytes = try bytes(name) else { throw .keyMemberMissing(name: name) }
    return SecretBytes(wiping: &bytes)
  }

  private func has(_ name: String) -> Bool { document.member(name, of: object) != nil }

  // Shortest form: RFC 7518 section 6.3.1.1 forbids the zero byte that some implementations put in front.
  private func number(_ name: String) throws(JOSEError) -> [UInt8] {
    guard form == .standard else { return try looseNumber(name) }
    let bytes = try needed(name)
    guard let first = bytes.first, first != 0 else { throw .keyMemberInvalid(name: name) }
    return bytes
  }

  // Either alphabet, padded or not; zero bytes in front are dropped.
  private func looseNumber(_ name: String) throws(JOSEError) -> [UInt8] {
    guard let text = try string(name) else { throw .keyMemberMissing(name: name) }
    var characters = text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      default: byte
      }
    }
    while characters.count % 4 == 0, characters.last == UInt8(ascii: "=") { characters.removeLast() }
    if characters.last == UInt8(ascii: "=") { characters.removeLast() }
    guard let bytes = try? Base64URL.decode(characters.span) else { throw .keyMemberInvalid(name: name) }
    let number = bytes.drop { $0 == 0 }
    guard !number.isEmpty else { throw .keyMemberInvalid(name: name) }
    return Array(number)
  }

  func rsa() throws(JOSEError) -> JWK.Material {
    let modulus = try number("n")
    let exponent = try number("e")
    guard has("d") else {
      return .publicKey(
        try crypto { () throws(CryptoError) in
          try PublicKey(.rsa(modulus: modulus, exponent: exponent))
        })
    }
    // RFC 7518 section 6.3.2.7: keys of more than two primes must be refused where they are not supported.
    guard !has("oth") else { throw .keyMemberInvalid(name: "oth") }
    var factors: PrivateKey.RSANumbers.Factors? = nil
    if has("p") || has("q") || has("dp") || has("dq") || has("qi") {
      factors = PrivateKey.RSANumbers.Factors(
        p: try secret("p"), q: try secret("q"), dp: try secret("dp"), dq: try secret("dq"),
        qInverse: try secret("qi"))
    }
    let numbers = PrivateKey.RSANumbers(privateExponent: try secret("d"), factors: factors)
    do {
      return .privateKey(try PrivateKey(modulus: modulus, exponent: exponent, numbers))
    } catch {
      throw JOSEError(error)
    }
  }

  func ellipticCurve() throws(JOSEError) -> JWK.Material {
    guard let name = try string("crv") else { throw .keyMemberMissing(name: "crv") }
    let curve: EllipticCurve
    switch name {
    case "P-256": curve = .p256
    case "P-384": curve = .p384
    case "P-521": curve = .p521
    case "secp256k1": curve = .secp256k1
    default: throw .curveUnknown(name)
    }
    let x = try coordinate("x", curve)
    let y = try coordinate("y", curve)
    guard has("d") else {
      return .publicKey(
        try crypto { () throws(CryptoError) in try PublicKey(.ellipticCurve(curve, x: x, y: y)) })
    }
    let secret = try secret("d")
    guard secret.count == curve.coordinateSize else {
      throw .keyMemberLength(name: "d", expected: curve.coordinateSize, found: secret.count)
    }
    do {
      return .privateKey(try PrivateKey(curve: curve, x: x, y: y, secret: secret))
    } catch {
      throw JOSEError(error)
    }
  }

  private func coordinate(_ name: String, _ curve: EllipticCurve) throws(JOSEError) -> [UInt8] {
    let bytes = try needed(name)
    guard bytes.count == curve.coordinateSize else {
      throw .keyMemberLength(name: name, expected: curve.coordinateSize, found: bytes.count)
    }
    return bytes
  }

  func edwards() throws(JOSEError) -> JWK.Material {
    guard let name = try string("crv") else { throw .keyMemberMissing(name: "crv") }
    let curve: EdwardsCurve
    switch name {
    case "Ed25519": curve = .ed25519
    case "Ed448": curve = .ed448
    default: throw .curveUnknown(name)
    }
    let point = try needed("x")
    guard point.count == curve.keySize else {
      throw .keyMemberLength(name: "x", expected: curve.keySize, found: point.count)
    }
    let publicKey = try crypto { () throws(CryptoError) in try PublicKey(.edwards(curve, point)) }
    guard has("d") else { return .publicKey(publicKey) }
    let secret = try secret("d")
    guard secret.count == curve.keySize else {
      throw .keyMemberLength(name: "d", expected: curve.keySize, found: secret.count)
    }
    let key: PrivateKey
    do { key = try PrivateKey(curve: curve, secret: secret) } catch { throw JOSEError(error) }
    guard key.publicKey.components == publicKey.components else { throw .keyPairMismatch }
    return .privateKey(key)
  }

  func symmetric() throws(JOSEError) -> JWK.Material {
    let secret = try secret("k")
    try HMACSecret.refuseKeyFiles(secret)
    return .shared(SharedSecret(secret))
  }

  func certificates() throws(JOSEError) -> [[UInt8]] {
    guard let texts = try strings("x5c") else { return [] }
    guard !texts.isEmpty else { throw .certificateMismatch }
    var certificates: [[UInt8]] = []
    for text in texts {
      guard let der = try? Base64.decode(text) else { throw .certificateMismatch }
      certificates.append(der)
    }
    return certificates
  }

  private func crypto<R>(_ body: () throws(CryptoError) -> R) throws(JOSEError) -> R {
    do { return try body() } catch { throw JOSEError(error) }
  }
}

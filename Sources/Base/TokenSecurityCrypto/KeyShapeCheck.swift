/// Checks of a key's parts before libcrypto parses it.
extension KeyShape {
  /// Checks that `bytes` is one key of the form `shape` and of a supported type. Throws what ``init(der:)``
  /// throws, and `unsupportedKeyType`, `unsupportedCurve`, `wrongLength`, `encryptedKey`.
  static func check(_ bytes: borrowing Span<UInt8>, is shape: KeyShape) throws(CryptoError) {
    let actual = try KeyShape(der: bytes)
    guard actual == shape else {
      if actual == .encryptedPrivateKeyInfo { throw .encryptedKey }
      throw .malformedKey
    }
    let parts = try DERValue(bytes, at: 0, before: bytes.count).children(bytes)
    switch shape {
    case .subjectPublicKeyInfo: try checkPublicKeyInfo(parts, bytes)
    case .rsaPublicKey: break
    case .privateKeyInfo: try checkPrivateKeyInfo(parts, bytes)
    case .encryptedPrivateKeyInfo: throw .encryptedKey
    case .rsaPrivateKey: try checkRSAPrivateKey(parts)
    case .ecPrivateKey: try checkECPrivateKey(parts, bytes, curve: nil)
    case .certificate: try checkCertificate(parts[0], bytes)
    }
  }

  private static func checkPublicKeyInfo(
    _ parts: [DERValue], _ bytes: borrowing Span<UInt8>
  ) throws(CryptoError) {
    _ = try KeyAlgorithmIdentifier(parts[0], bytes)
    try checkWholeBytes(parts[1], bytes)
  }

  /// A key's bit string must have no unused bits.
  private static func checkWholeBytes(_ value: DERValue, _ bytes: borrowing Span<UInt8>) throws(CryptoError) {
    guard value.tag == DERValue.bitString, let first = value.contents.first else { throw .malformedKey }
    guard bytes[first] == 0 else { throw .notDER(rule: "a key is not a whole number of bytes") }
  }

  private static func checkPrivateKeyInfo(
    _ parts: [DERValue], _ bytes: borrowing Span<UInt8>
  ) throws(CryptoError) {
    let type = try KeyAlgorithmIdentifier(parts[1], bytes)
    // The octet string contains the key in DER.
    let inner = try DERValue(
      bytes, at: parts[2].contents.lowerBound, before: parts[2].contents.upperBound)
    guard inner.contents.upperBound == parts[2].contents.upperBound else { throw .trailingData }
    try inner.check(bytes)
    switch type {
    case .rsa: try checkRSAPrivateKey(inner.children(bytes))
    case .ellipticCurve(let curve): try checkECPrivateKey(inner.children(bytes), bytes, curve: curve)
    case .edwards(let curve):
      guard inner.tag == DERValue.octetString else { throw .malformedKey }
      guard inner.contents.count == curve.keySize else {
        throw .wrongLength(expected: curve.keySize, actual: inner.contents.count)
      }
    }
  }

  private static func checkRSAPrivateKey(_ parts: [DERValue]) throws(CryptoError) {
    guard parts.count >= 9, parts.prefix(9).allSatisfy({ $0.tag == DERValue.integer }) else {
      throw .malformedKey
    }
    guard parts.count == 9 else { throw .unsupportedKeyType("RSA with more than two primes") }
    // One byte more than the modulus: a leading zero keeps a number positive.
    let modulus = parts[1].contents.count
    for part in parts.dropFirst(3) where part.contents.count > modulus + 1 {
      throw .rsaPrivateNumber(bits: part.contents.count * 8, limit: modulus * 8)
    }
  }

  private static func checkECPrivateKey(
    _ parts: [DERValue], _ bytes: borrowing Span<UInt8>, curve: EllipticCurve?
  ) throws(CryptoError) {
    guard parts.count >= 2, parts[0].tag == DERValue.integer, parts[1].tag == DERValue.octetString else {
      throw .malformedKey
    }
    var curve = curve
    for part in parts.dropFirst(2) {
      guard let value = try part.children(bytes).first else { throw .malformedKey }
      switch part.tag {
      case 0xA0:
        let named = try KeyAlgorithmIdentifier.curve(value, bytes)
        guard curve == nil || curve == named else { throw .malformedKey }
        curve = named
      case 0xA1: try checkWholeBytes(value, bytes)
      default: throw .malformedKey
      }
    }
    guard let curve else { throw .unsupportedCurve("not named") }
    try checkLength(parts[1].contents, of: curve, bytes)
  }

  /// RFC 5915 section 3 gives the number the curve's length. Some tools drop leading zero bytes, and GnuTLS writes the
  /// contents of an INTEGER: a number of full length with a zero byte before it if its first bit is set.
  private static func checkLength(
    _ number: Range<Int>, of curve: EllipticCurve, _ bytes: borrowing Span<UInt8>
  ) throws(CryptoError) {
    let size = curve.coordinateSize
    guard number.count <= size || (number.count == size + 1 && bytes[number.lowerBound] == 0) else {
      throw .wrongLength(expected: size, actual: number.count)
    }
  }

  private static func checkCertificate(
    _ certificate: DERValue, _ bytes: borrowing Span<UInt8>
  ) throws(CryptoError) {
    // optional version [0], serialNumber, signature, issuer, validity, subject, subjectPublicKeyInfo
    let parts = try certificate.children(bytes)
    let index = parts.first?.tag == 0xA0 ? 6 : 5
    guard parts.count > index, parts[index].tag == DERValue.sequence else { throw .malformedKey }
    let key = try parts[index].children(bytes)
    guard key.count == 2 else { throw .malformedKey }
    try checkPublicKeyInfo(key, bytes)
  }
}

/// The forms of key files in DER, distinguished by the types of their parts.
package enum KeyShape: Sendable, Hashable {
  /// A SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7).
  case subjectPublicKeyInfo
  /// An RSAPublicKey (RFC 8017 appendix A.1.1).
  case rsaPublicKey
  /// An unencrypted PrivateKeyInfo (RFC 5208 section 5, RFC 5958 section 2).
  case privateKeyInfo
  /// An EncryptedPrivateKeyInfo (RFC 5208 section 6).
  case encryptedPrivateKeyInfo
  /// An RSAPrivateKey (RFC 8017 appendix A.1.2).
  case rsaPrivateKey
  /// An ECPrivateKey (RFC 5915 section 3).
  case ecPrivateKey
  /// An X.509 certificate (RFC 5280 section 4.1).
  case certificate

  /// True if the form contains a private key.
  package var isPrivate: Bool {
    switch self {
    case .privateKeyInfo, .encryptedPrivateKeyInfo, .rsaPrivateKey, .ecPrivateKey: true
    case .subjectPublicKeyInfo, .rsaPublicKey, .certificate: false
    }
  }

  /// The form of a whole file.
  ///
  /// - Parameter bytes: the file's bytes.
  /// - Throws: `malformedKey` for another form, `trailingData` for bytes after the key, `notDER`.
  package init(der bytes: borrowing Span<UInt8>) throws(CryptoError) {
    let whole = try DERValue(bytes, at: 0, before: bytes.count)
    guard let shape = try Self.shape(of: whole, bytes, .der) else { throw .malformedKey }
    guard whole.contents.upperBound == bytes.count else { throw .trailingData }
    try whole.check(bytes)
    self = shape
  }

  /// True if `bytes` begins with a key in DER or BER, usable or not.
  package static func begins(_ bytes: borrowing Span<UInt8>) -> Bool {
    guard let whole = try? DERValue(bytes, at: 0, before: bytes.count, .ber),
      let shape = try? shape(of: whole, bytes, .ber)
    else { return false }
    // Two numbers are an RSA public key only if the first can be a modulus: other bytes may look like it by
    // chance.
    return shape != .rsaPublicKey || whole.contents.count >= 64
  }

  private static func shape(
    of whole: DERValue, _ bytes: borrowing Span<UInt8>, _ rules: DERValue.Rules
  ) throws(CryptoError) -> KeyShape? {
    guard whole.tag == DERValue.sequence else { return nil }
    let parts = try whole.children(bytes, rules)
    // Constructed strings, which only BER has, count as strings here.
    let tags = parts.map { $0.tag & 0xDF <= DERValue.octetString ? $0.tag & 0xDF : $0.tag }
    func startsWithIdentifier(_ part: DERValue) -> Bool {
      part.contents.count > 2 && bytes[part.contents.lowerBound] == DERValue.objectIdentifier
    }
    let number = DERValue.integer
    switch tags.prefix(3) {
    case [DERValue.sequence, DERValue.bitString]:
      return startsWithIdentifier(parts[0]) ? .subjectPublicKeyInfo : nil
    case [DERValue.sequence, DERValue.octetString]:
      return startsWithIdentifier(parts[0]) ? .encryptedPrivateKeyInfo : nil
    case [DERValue.sequence, DERValue.sequence, DERValue.bitString]:
      return tags.count == 3 && startsWithIdentifier(parts[1]) ? .certificate : nil
    case [number, DERValue.sequence, DERValue.octetString]:
      return startsWithIdentifier(parts[1]) ? .privateKeyInfo : nil
    case [number, number]: return .rsaPublicKey
    case [number, number, number]:
      let isWhole = tags.count >= 9 && tags.prefix(9).allSatisfy { $0 == number }
      return isWhole && tags.dropFirst(9).allSatisfy { $0 == DERValue.sequence } ? .rsaPrivateKey : nil
    default:
      guard tags.starts(with: [number, DERValue.octetString]), tags.count <= 4 else { return nil }
      return tags.dropFirst(2).allSatisfy { $0 & 0xE0 == 0xA0 } ? .ecPrivateKey : nil
    }
  }
}

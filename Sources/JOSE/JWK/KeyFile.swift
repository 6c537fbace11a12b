package import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// Key files: PEM (RFC 7468), DER, JWK or JWK set.
public enum KeyFile {
  /// Reads the key or keys of a file in any form. The first bytes decide which.
  ///
  /// A single key without `kid` serves tokens with any `kid`.
  ///
  /// - Parameters:
  ///   - contents: the file's contents.
  ///   - form: whether private keys are read, and how strictly JSON is read.
  /// - Returns: the keys.
  /// - Throws: the first rule that the file or its only key breaks.
  public static func read(
    _ contents: borrowing SecretBytes, form: KeyForm = .standard
  ) throws(JOSEError) -> JWKSet {
    switch firstByte(contents) {
    case UInt8(ascii: "{"):
      return try JWKSet(json: contents, form: form)
    case 0x30:
      return JWKSet(try der(contents, form: form))
    default:
      return JWKSet(try pem(contents, form: form))
    }
  }

  /// Reads the first key of a PEM text: `PUBLIC KEY`, `RSA PUBLIC KEY`, `PRIVATE KEY`, `RSA PRIVATE KEY`,
  /// `EC PRIVATE KEY` or `CERTIFICATE`. `EC PARAMETERS` and text around the blocks are ignored, as by
  /// OpenSSL.
  ///
  /// - Parameters:
  ///   - contents: the text.
  ///   - form: whether private keys are read. If not, they are refused before they are parsed.
  /// - Returns: the key.
  /// - Throws: the first rule that the text or the key breaks.
  public static func pem(
    _ contents: borrowing SecretBytes, form: KeyForm = .standard
  ) throws(JOSEError) -> JWK {
    var text = contents.withBytes { span in [UInt8](unwipedCopy: span) }
    defer { _ = SecretBytes(wiping: &text) }
    var blocks = PEMBlocks(text)
    while let block = try blocks.next() {
      guard block.label != "EC PARAMETERS" else { continue }
      return try key(labelled: block.label, blocks.decode(block), form)
    }
    throw .keyUnreadable
  }

  /// Reads a key in DER: SubjectPublicKeyInfo, PKCS#8, PKCS#1, SEC 1 or X.509 certificate.
  ///
  /// - Parameters:
  ///   - contents: the bytes.
  ///   - form: whether private keys are read. If not, they are refused before they are parsed.
  /// - Returns: the key.
  /// - Throws: `keyUnreadable` for other bytes, `keyNotDER` for BER, or the first rule that the key breaks.
  public static func der(
    _ contents: borrowing SecretBytes, form: KeyForm = .standard
  ) throws(JOSEError) -> JWK {
    do {
      let shape = try contents.withBytes { bytes throws(CryptoError) in try KeyShape(der: bytes) }
      if shape.isPrivate, form.privateMembers != .read { throw JOSEError.keyNotPublic(member: "private key") }
      return try key(shape, contents)
    } catch let error as CryptoError {
      throw JOSEError(error)
    } catch {
      throw error as? JOSEError ?? .keyUnreadable
    }
  }

  private static func firstByte(_ contents: borrowing SecretBytes) -> UInt8? {
    contents.withBytes { (bytes: borrowing Span<UInt8>) -> UInt8? in
      for index in bytes.indices {
        switch bytes[index] {
        case 0x20, 0x09, 0x0A, 0x0D: continue
        default: return bytes[index]
        }
      }
      return nil
    }
  }

  private static func key(
    labelled label: String, _ der: borrowing SecretBytes, _ form: KeyForm
  ) throws(JOSEError) -> JWK {
    guard let shape = KeyShape(label: label) else { throw .keyTypeUnknown(label) }
    if shape.isPrivate, form.privateMembers != .read { throw .keyNotPublic(member: label) }
    do { return try key(shape, der) } catch { throw JOSEError(error) }
  }

  private static func key(_ shape: KeyShape, _ der: borrowing SecretBytes) throws(CryptoError) -> JWK {
    switch shape {
    case .subjectPublicKeyInfo:
      return JWK(material: .publicKey(try KeyDER.subjectPublicKeyInfo(publicBytes(der))))
    case .rsaPublicKey:
      return JWK(material: .publicKey(try KeyDER.rsaPublicKey(publicBytes(der))))
    case .privateKeyInfo: return JWK(material: .privateKey(try KeyDER.privateKeyInfo(der)))
    case .rsaPrivateKey: return JWK(material: .privateKey(try KeyDER.rsaPrivateKey(der)))
    case .ecPrivateKey: return JWK(material: .privateKey(try KeyDER.ecPrivateKey(der)))
    case .certificate:
      let certificate = publicBytes(der)
      return JWK(
        material: .publicKey(try KeyDER.certificate(certificate)), certificates: [certificate])
    case .encryptedPrivateKeyInfo: throw .encryptedKey
    }
  }

  private static func publicBytes(_ der: borrowing SecretBytes) -> [UInt8] {
    der.withBytes { span in [UInt8](unwipedCopy: span) }
  }
}

extension KeyShape {
  /// The form for a PEM label (RFC 7468).
  fileprivate init?(label: String) {
    switch label {
    case "PUBLIC KEY": self = .subjectPublicKeyInfo
    case "RSA PUBLIC KEY": self = .rsaPublicKey
    case "PRIVATE KEY": self = .privateKeyInfo
    case "ENCRYPTED PRIVATE KEY": self = .encryptedPrivateKeyInfo
    case "RSA PRIVATE KEY": self = .rsaPrivateKey
    case "EC PRIVATE KEY": self = .ecPrivateKey
    case "CERTIFICATE": self = .certificate
    default: return nil
    }
  }
}

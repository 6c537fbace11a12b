package import CryptoPrimitives
internal import Encodings

/// Keys as they lie in files: PEM (RFC 7468), DER, a JWK or a set of them.
public enum KeyFile {
  /// Reads whatever key or keys `contents` holds, telling the forms apart by how they begin.
  ///
  /// A file with one key is a set in which that key serves every `kid` where it has none of its own.
  public static func read(_ contents: borrowing SecretBytes) throws(JOSEError) -> JWKSet {
    switch firstByte(contents) {
    case UInt8(ascii: "{"):
      return try JWKSet(json: contents)
    case 0x30:
      return JWKSet(try der(contents))
    default:
      return JWKSet(try pem(contents))
    }
  }

  /// Reads the first key of a PEM text: `PUBLIC KEY`, `RSA PUBLIC KEY`, `PRIVATE KEY`,
  /// `RSA PRIVATE KEY`, `EC PRIVATE KEY`, `CERTIFICATE`. Anything else between or around the blocks
  /// is passed over, as OpenSSL and RFC 7468 have it; `EC PARAMETERS` in front of a key likewise.
  public static func pem(_ contents: borrowing SecretBytes) throws(JOSEError) -> JWK {
    var text = contents.withBytes { span in [UInt8](unwipedCopy: span) }
    defer { _ = SecretBytes(wiping: &text) }
    var blocks = PEMBlocks(text)
    while let block = try blocks.next() {
      guard block.label != "EC PARAMETERS" else { continue }
      let der = try blocks.decode(block)
      do {
        return try key(labelled: block.label, der)
      } catch {
        throw JOSEError(error)
      }
    }
    throw .keyUnreadable
  }

  /// Reads a key in DER, trying the forms that there are: SubjectPublicKeyInfo, PKCS#8, PKCS#1, SEC 1,
  /// X.509 certificate.
  public static func der(_ contents: borrowing SecretBytes) throws(JOSEError) -> JWK {
    // What a key is refused for says more than that it is not of the next form.
    var refusal = CryptoError.malformedKey
    for label in labels {
      do {
        return try key(labelled: label, contents)
      } catch {
        if refusal == .malformedKey { refusal = error }
      }
    }
    throw JOSEError(refusal)
  }

  private static let labels = [
    "PUBLIC KEY", "PRIVATE KEY", "RSA PUBLIC KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY",
    "CERTIFICATE",
  ]

  /// True where `bytes` is a key in DER, whether or not it would be accepted as one.
  static func isDER(_ bytes: borrowing SecretBytes) -> Bool {
    for label in labels {
      do {
        _ = try key(labelled: label, bytes)
        return true
      } catch {
        if error != .malformedKey { return true }
      }
    }
    return false
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
    labelled label: String, _ der: borrowing SecretBytes
  ) throws(CryptoError) -> JWK {
    switch label {
    case "PUBLIC KEY":
      return JWK(material: .publicKey(try KeyDER.subjectPublicKeyInfo(publicBytes(der))))
    case "RSA PUBLIC KEY":
      return JWK(material: .publicKey(try KeyDER.rsaPublicKey(publicBytes(der))))
    case "PRIVATE KEY": return JWK(material: .privateKey(try KeyDER.privateKeyInfo(der)))
    case "RSA PRIVATE KEY": return JWK(material: .privateKey(try KeyDER.rsaPrivateKey(der)))
    case "EC PRIVATE KEY": return JWK(material: .privateKey(try KeyDER.ecPrivateKey(der)))
    case "CERTIFICATE":
      let certificate = publicBytes(der)
      return JWK(
        material: .publicKey(try KeyDER.certificate(certificate)), certificates: [certificate])
    case "ENCRYPTED PRIVATE KEY": throw .encryptedKey
    default: throw .unsupportedKeyType(label)
    }
  }

  private static func publicBytes(_ der: borrowing SecretBytes) -> [UInt8] {
    der.withBytes { span in [UInt8](unwipedCopy: span) }
  }
}

internal import TokenSecurityBase
package import TokenSecurityCrypto

/// Key files: PEM (RFC 7468), DER, JWK or JWK set.
public enum KeyFile {
  /// Reads the key or keys of a file in any form. A text in which a line begins with a PEM block is PEM; the first byte
  /// decides about other files.
  ///
  /// A single key without `kid` serves tokens with any `kid`, and so do the keys of a PEM text with several.
  ///
  /// - Parameters:
  ///   - contents: the file's contents.
  ///   - form: whether private keys are read, and how strictly JSON is read.
  /// - Returns: the keys. Those of a PEM text that cannot be used are listed in ``JWKSet/rejected``, if others can.
  /// - Throws: the first rule that the file or its only key breaks.
  public static func read(
    _ contents: borrowing SecretBytes, form: KeyForm = .standard
  ) throws(JOSEError) -> JWKSet {
    let (first, hasBlocks, isDER) = contents.withBytes { bytes in
      (firstByte(bytes), PEMBlocks.areIn(bytes), KeyShape.begins(bytes))
    }
    switch first {
    case 0x30 where isDER || !hasBlocks:
      return JWKSet(try der(contents, form: form))
    case UInt8(ascii: "{") where !hasBlocks:
      return try JWKSet(json: contents, form: form)
    default:
      return try pemKeys(contents, form)
    }
  }

  /// Reads the key of a PEM text: `PUBLIC KEY`, `RSA PUBLIC KEY`, `PRIVATE KEY`, `RSA PRIVATE KEY`, `EC PRIVATE KEY` or
  /// `CERTIFICATE`. Other blocks and text around the blocks are ignored, as by OpenSSL.
  ///
  /// A private key and its certificate are one key. Of a chain of certificates, the key of the leaf is read: of the
  /// one that issued none of the others.
  ///
  /// - Parameters:
  ///   - contents: the text.
  ///   - form: whether private keys are read. If not, they are refused before they are parsed.
  /// - Returns: the key.
  /// - Throws: the first rule that the text, the key or a block beside it breaks; `keySetInvalid` for several keys.
  public static func pem(
    _ contents: borrowing SecretBytes, form: KeyForm = .standard
  ) throws(JOSEError) -> JWK {
    let set = try pemKeys(contents, form)
    guard set.keys.count == 1, let key = set.keys.first else {
      throw .keySetInvalid(rule: "it has \(set.keys.count) keys where one is expected")
    }
    if let other = set.rejected.first { throw other.error }
    return key
  }

  /// Reads a key set in JSON, or the keys of a PEM text. Which it is, and why it is neither, is decided as for ``read(_:form:)``.
  package static func set(_ contents: borrowing SecretBytes, form: KeyForm) throws(JOSEError) -> JWKSet {
    let isPEM = contents.withBytes { bytes in
      PEMBlocks.areIn(bytes) || ByteOrderMark.beginsUTF16(bytes)
        || (firstByte(bytes) != UInt8(ascii: "{") && PEMBlocks.areAnywhere(in: bytes))
    }
    return isPEM ? try pemKeys(contents, form) : try JWKSet(json: contents, form: form)
  }

  private static func pemKeys(
    _ contents: borrowing SecretBytes, _ form: KeyForm
  ) throws(JOSEError) -> JWKSet {
    var text = contents.withBytes { span in [UInt8](unwipedCopy: span) }
    defer { _ = SecretBytes(wiping: &text) }
    return try PEMKeys.read(text, form: form)
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
      return try JWK(shape, contents)
    } catch let error as CryptoError {
      throw JOSEError(error)
    } catch {
      throw error as? JOSEError ?? .keyUnreadable
    }
  }

  /// The first byte after a byte order mark and white space.
  private static func firstByte(_ bytes: borrowing Span<UInt8>) -> UInt8? {
    var index = ByteOrderMark.begins(bytes) ? 3 : 0
    while index < bytes.count {
      guard bytes[index].isPEMBlank else { return bytes[index] }
      index += 1
    }
    return nil
  }
}

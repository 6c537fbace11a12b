internal import TokenSecurityBase
public import TokenSecurityCrypto

/// HMAC keys from bytes.
extension JWK {
  /// A shared secret. Key files (PEM, DER, JWK, certificates) are refused: with a public key as secret,
  /// anyone could sign (RFC 8725 section 2.1). The length, at least that of the digest (RFC 7518 section
  /// 3.2), is checked on use.
  ///
  /// - Parameters:
  ///   - secret: the bytes.
  ///   - keyID: the `kid`.
  ///   - algorithm: the `alg`.
  /// - Throws: `hmacKeyIsKeyFile`.
  public init(
    secret: consuming SecretBytes, keyID: String? = nil, algorithm: Algorithm? = nil
  ) throws(JOSEError) {
    self.init(material: try HMACSecret.material(secret), keyID: keyID, algorithmName: algorithm?.name)
  }
}

enum HMACSecret {
  /// The material of a key from bytes that others made. All such keys are made here.
  ///
  /// - Throws: `hmacKeyIsKeyFile`.
  static func material(_ secret: consuming SecretBytes) throws(JOSEError) -> JWK.Material {
    try refuseKeyFiles(secret)
    return .shared(RetainedSecret(secret))
  }

  /// Refuses key files: PEM, DER, JWK, keys of OpenSSH and PuTTY, base64 of any of these, and their text in
  /// UTF-16. Linear time.
  ///
  /// - Throws: `hmacKeyIsKeyFile`.
  private static func refuseKeyFiles(_ secret: borrowing SecretBytes) throws(JOSEError) {
    if secret.withBytes({ isKeyFile($0) }) { throw .hmacKeyIsKeyFile }
    if let text = withoutZeros(secret), text.withBytes({ isKeyFile($0) }) { throw .hmacKeyIsKeyFile }
    guard let decoded = decoded(secret) else { return }
    if decoded.withBytes({ isKeyFile($0) }) { throw .hmacKeyIsKeyFile }
  }

  /// Texts that key files contain.
  private static let marks = [
    "-----BEGIN ", "---- BEGIN ", "\"kty\"", "PuTTY-User-Key-File-",
    // A JWK inside a JSON string.
    "\\\"kty\\\"",
    // Base64 of OpenSSH's keys, in lines of `authorized_keys` and `known_hosts`: the length of the type's
    // name, and the name up to a multiple of three bytes.
    "AAAAB3NzaC1", "AAAAC3NzaC1", "AAAAE2VjZHNhLXNoYTIt", "AAAAGnNrLXNzaC1", "AAAAInNrLWVjZHNhLXNoYTIt",
  ]
  /// Prefixes of OpenSSH's public keys (RFC 4253 section 6.6, RFC 5656, RFC 8709, OpenSSH's PROTOCOL.u2f).
  private static let sshTypes = ["ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-"]

  private static func isKeyFile(_ bytes: borrowing Span<UInt8>) -> Bool {
    for mark in marks where ByteSearch.firstIndex(of: mark, in: bytes) != nil { return true }
    let start = textStart(bytes)
    for type in sshTypes where ByteSearch.has(type, bytes, at: start) { return true }
    // The same keys in binary: the type's length in four bytes, then the type (RFC 4251 section 5).
    if bytes.count > 4, bytes[0] == 0, bytes[1] == 0, bytes[2] == 0, bytes[3] < 64 {
      for type in sshTypes where ByteSearch.has(type, bytes, at: 4) { return true }
    }
    return bytes.count >= 32 && KeyShape.begins(bytes)
  }

  /// The bytes without zeros; nil if no byte is zero. In UTF-16 every other byte of ASCII text is.
  private static func withoutZeros(_ secret: borrowing SecretBytes) -> SecretBytes? {
    var rest = secret.withBytes { (bytes: borrowing Span<UInt8>) -> [UInt8] in
      var rest: [UInt8] = []
      rest.reserveCapacity(bytes.count)
      for index in bytes.indices where bytes[index] != 0 { rest.append(bytes[index]) }
      return rest
    }
    guard rest.count < secret.count else {
      _ = SecretBytes(wiping: &rest)
      return nil
    }
    // The mark of the byte order.
    if rest.starts(with: [0xFF, 0xFE]) || rest.starts(with: [0xFE, 0xFF]) { rest.removeFirst(2) }
    return SecretBytes(wiping: &rest)
  }

  /// The index of the first byte after a byte order mark and white space.
  private static func textStart(_ bytes: borrowing Span<UInt8>) -> Int {
    var start = 0
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { start = 3 }
    while start < bytes.count, bytes[start].isASCIISpace { start += 1 }
    return start
  }

  /// The secret decoded as base64 of either alphabet, with white space ignored; nil if it is not base64.
  private static func decoded(_ secret: borrowing SecretBytes) -> SecretBytes? {
    var characters = secret.withBytes { (bytes: borrowing Span<UInt8>) -> [UInt8] in
      var characters: [UInt8] = []
      characters.reserveCapacity(bytes.count)
      for index in textStart(bytes)..<bytes.count where !bytes[index].isASCIISpace {
        switch bytes[index] {
        case UInt8(ascii: "+"): characters.append(UInt8(ascii: "-"))
        case UInt8(ascii: "/"): characters.append(UInt8(ascii: "_"))
        default: characters.append(bytes[index])
        }
      }
      while characters.last == UInt8(ascii: "=") { characters.removeLast() }
      return characters
    }
    defer { _ = SecretBytes(wiping: &characters) }
    guard var decoded = try? Base64URL.decode(characters.span) else { return nil }
    return SecretBytes(wiping: &decoded)
  }
}

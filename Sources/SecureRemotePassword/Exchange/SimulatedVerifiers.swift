public import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// Records for users who do not exist, always the same for the same name, so that nobody learns by asking who exists
/// (RFC 5054 section 2.5.1.3).
///
/// A record is made in the time of a few hashes. Make it for users who exist, too, and drop it: then both take the
/// same time.
public struct SimulatedVerifiers: Sendable {
  private let authenticator: MessageAuthenticator

  /// `key`: 32 random bytes or more, kept as long as the service lives: another key gives other records, by which
  /// somebody who asked before and after could tell the false from the true.
  ///
  /// Throws `keyTooShort`, `libraryFailure`.
  public init(key: borrowing SecretBytes) throws(SRPError) {
    guard key.count >= 32 else { throw .keyTooShort(size: key.count, least: 32) }
    do {
      authenticator = try MessageAuthenticator(key: key, digest: .sha256)
    } catch { throw SRPError(error) }
  }

  /// The record for `identity`, with a salt of `saltSize` bytes, 32 unless said otherwise: as long as those of the
  /// users who exist.
  ///
  /// Throws `libraryFailure`.
  public func verifier(
    identity: [UInt8], saltSize: Int = 32, group: SRPGroup
  ) throws(SRPError) -> SRPVerifier {
    let salt = Declassification.of(
      try bytes("salt", identity, count: max(1, saltSize)).withBytes { [UInt8](unwipedCopy: $0) })
    return try SRPVerifier(salt: salt, value: value(identity, group), group: group)
  }

  /// A number below N that nobody knows a password for. Sixteen bytes more than N has make all of them as likely.
  package func value(_ identity: [UInt8], _ group: SRPGroup) throws(SRPError) -> SecretBytes {
    let bytes = try bytes("verifier", identity, count: group.size + 16)
    return try SRPError.of { () throws(CryptoError) in
      try group.arithmetic.remainder(Number(bytes)).secretBytes(count: group.size)
    }
  }

  /// `count` bytes that depend on the key, the purpose and the name: HMAC in counter mode.
  package func bytes(_ purpose: StaticString, _ identity: [UInt8], count: Int) throws(SRPError) -> SecretBytes
  {
    var message: [UInt8] = []
    message.append(purpose)
    message.append(0)
    message.append(copying: identity.span)
    return try SecretBytes(count: count) { output throws(SRPError) in
      var start = 0
      var counter: UInt8 = 0
      while start < count {
        message.append(counter)
        let text = message
        let block = try SRPError.of { () throws(CryptoError) in
          try authenticator.authenticateSecretly(text.span)
        }
        message.removeLast()
        block.withBytes { block in
          for index in 0..<min(32, count - start) { output[start + index] = block[index] }
        }
        start += 32
        counter &+= 1
      }
    }
  }
}

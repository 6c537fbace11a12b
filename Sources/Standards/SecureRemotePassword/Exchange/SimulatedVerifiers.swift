internal import TokenSecurityBase
public import TokenSecurityCrypto

/// Simulated verifiers for users who do not exist, so that a client cannot find out who exists (RFC 5054
/// section 2.5.1.3). The same name always has the same verifier.
///
/// A verifier takes a few hashes. Compute it for existing users too, and discard it, so that both take the
/// same time.
public struct SimulatedVerifiers: Sendable {
  private let authenticator: MessageAuthenticator

  /// Creates simulated verifiers.
  ///
  /// - Parameter key: at least 32 random bytes, the same for the service's whole lifetime. A new key changes
  ///   the simulated salts, which shows that they were simulated.
  /// - Throws: `keyTooShort`, `libraryFailure`.
  public init(key: borrowing SecretBytes) throws(SRPError) {
    guard key.count >= 32 else { throw .keyTooShort(size: key.count, least: 32) }
    do {
      authenticator = try MessageAuthenticator(key: key, digest: .sha256)
    } catch { throw SRPError(error) }
  }

  /// Computes the verifier of a name.
  ///
  /// - Parameters:
  ///   - identity: the name.
  ///   - saltSize: the size of existing users' salts in bytes. Default: 32.
  ///   - group: the group.
  /// - Returns: the same verifier for the same name.
  /// - Throws: `libraryFailure`.
  public func verifier(
    identity: [UInt8], saltSize: Int = 32, group: SRPGroup
  ) throws(SRPError) -> SRPVerifier {
    let salt = Declassification.of(
      try bytes("salt", identity, count: max(1, saltSize)).withBytes { [UInt8](unwipedCopy: $0) })
    return try SRPVerifier(salt: salt, value: value(identity, group), group: group)
  }

  /// A number below N without a known password. 16 more bytes than N has make the distribution uniform.
  package func value(_ identity: [UInt8], _ group: SRPGroup) throws(SRPError) -> SecretBytes {
    let bytes = try bytes("verifier", identity, count: group.size + 16)
    return try SRPError.of { () throws(CryptoError) in
      try group.arithmetic.remainder(Number(bytes)).secretBytes(count: group.size)
    }
  }

  /// `count` bytes derived from the key, a purpose and a name: HMAC in counter mode.
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

internal import TokenSecurityBase
public import TokenSecurityCrypto

/// An open challenge: the key that the response must be signed with, and a digest of what the challenge is for. It
/// is verified once: keep its bytes in the secret block, encrypted, or in a store that the block names.
public struct CognitoPendingChallenge: ~Copyable, Sendable {
  /// A SHA-256 of the context and the identity.
  let context: [UInt8]
  let key: SecretBytes

  init(context: [UInt8], key: consuming SecretBytes) {
    self.context = context
    self.key = key
  }

  /// The size of ``bytes()``.
  public static let size = 32 + 16

  /// The serialized challenge. It contains the key: protect it like a key.
  ///
  /// - Returns: ``size`` bytes.
  public borrowing func bytes() -> SecretBytes {
    SecretBytes(count: Self.size) { output in
      for index in 0..<32 { output[index] = context[index] }
      key.withBytes { key in for index in 0..<16 { output[32 + index] = key[index] } }
    }
  }

  /// Restores a challenge.
  ///
  /// - Parameter bytes: the result of ``bytes()``.
  /// - Throws: `secretBlockInvalid` for another number of bytes.
  public init(_ bytes: borrowing SecretBytes) throws(SRPError) {
    guard bytes.count == Self.size else { throw .secretBlockInvalid }
    context = bytes.withBytes { Declassification.of([UInt8](unwipedCopy: $0.extracting(first: 32))) }
    key = bytes.withBytes { SecretBytes($0.extracting(droppingFirst: 32)) }
  }

  /// A digest of the context and the identity, each text preceded by its length, so that different texts never give
  /// the same message.
  static func digest(_ context: [String], _ identity: CognitoSRPIdentity) throws(SRPError) -> [UInt8] {
    var message: [UInt8] = []
    for part in context + [identity.realm, identity.name] { message.append(counted: part.utf8) }
    return try SRPError.of { () throws(CryptoError) in try DigestAlgorithm.sha256.hash(message.span) }
  }
}

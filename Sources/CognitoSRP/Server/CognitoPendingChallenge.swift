public import SecureRemotePassword
public import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// An open challenge, which its secret block identifies: the key that the response must be signed with, and
/// the context.
public struct CognitoPendingChallenge: ~Copyable, Sendable {
  /// 16 random bytes.
  public let id: [UInt8]
  /// The last second in which a response is accepted.
  public let end: Timestamp
  /// The SHA-256 of pool, app client, user, device and challenge.
  let context: [UInt8]
  let key: SecretBytes

  init(id: [UInt8], end: Timestamp, context: [UInt8], key: consuming SecretBytes) {
    self.id = id
    self.end = end
    self.context = context
    self.key = key
  }

  /// The size of ``bytes()``.
  public static let size = 16 + 8 + 32 + 16

  /// The serialized challenge, for another store. It contains the key: protect it like a key.
  ///
  /// - Returns: ``size`` bytes.
  public borrowing func bytes() -> SecretBytes {
    SecretBytes(count: Self.size) { output in
      for index in 0..<16 { output[index] = id[index] }
      for index in 0..<8 { output[16 + index] = UInt8(truncatingIfNeeded: end.seconds >> (56 - 8 * index)) }
      for index in 0..<32 { output[24 + index] = context[index] }
      key.withBytes { key in for index in 0..<16 { output[56 + index] = key[index] } }
    }
  }

  /// Restores a challenge.
  ///
  /// - Parameter bytes: the result of ``bytes()``.
  /// - Throws: `secretBlockInvalid` for another number of bytes.
  public init(_ bytes: borrowing SecretBytes) throws(SRPError) {
    guard bytes.count == Self.size else { throw .secretBlockInvalid }
    let open = bytes.withBytes { Declassification.of([UInt8](unwipedCopy: $0.extracting(first: 56))) }
    id = Array(open[..<16])
    end = Timestamp(seconds: open[16..<24].reduce(0) { $0 << 8 | Int64($1) })
    context = Array(open[24...])
    key = bytes.withBytes { SecretBytes($0.extracting(droppingFirst: 56)) }
  }

  /// A digest of texts, each preceded by its length, so that different texts never give the same message.
  static func context(_ parts: [String]) throws(SRPError) -> [UInt8] {
    var message: [UInt8] = []
    for part in parts { message.append(counted: part.utf8) }
    return try SRPError.of { () throws(CryptoError) in try DigestAlgorithm.sha256.hash(message.span) }
  }
}

/// Keeps challenges until their responses arrive: encrypted in the block that goes to the client, or in a
/// store.
public protocol CognitoSecretBlocks: Sendable {
  /// Creates the block of a challenge.
  ///
  /// - Parameters:
  ///   - challenge: the challenge.
  ///   - now: the current time.
  /// - Returns: the block.
  /// - Throws: any `SRPError`; the request for the challenge fails with it.
  func issue(_ challenge: borrowing CognitoPendingChallenge, at now: Timestamp) async throws(SRPError)
    -> [UInt8]

  /// The challenge of a block. A block can be redeemed once, whether the password is right or wrong.
  ///
  /// - Parameters:
  ///   - block: the block.
  ///   - now: the current time.
  /// - Returns: the challenge.
  /// - Throws: `secretBlockInvalid`, `secretBlockExpired`, `secretBlockReplayed`.
  func redeem(_ block: [UInt8], at now: Timestamp) async throws(SRPError) -> CognitoPendingChallenge
}

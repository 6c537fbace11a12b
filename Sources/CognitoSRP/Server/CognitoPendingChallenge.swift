public import SecureRemotePassword
public import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// A challenge that was sent and not yet answered: the key that the answer must be signed with, and what it was made
/// for. It is what a secret block stands for.
public struct CognitoPendingChallenge: ~Copyable, Sendable {
  /// 16 random bytes by which it is told from all others.
  public let id: [UInt8]
  /// The last second in which it can be answered.
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

  /// The length of its bytes.
  public static let size = 16 + 8 + 32 + 16

  /// All of it, for a store of one's own: as secret as the key in it.
  public borrowing func bytes() -> SecretBytes {
    SecretBytes(count: Self.size) { output in
      for index in 0..<16 { output[index] = id[index] }
      for index in 0..<8 { output[16 + index] = UInt8(truncatingIfNeeded: end.seconds >> (56 - 8 * index)) }
      for index in 0..<32 { output[24 + index] = context[index] }
      key.withBytes { key in for index in 0..<16 { output[56 + index] = key[index] } }
    }
  }

  /// What ``bytes()`` gave.
  ///
  /// Throws `secretBlockInvalid`.
  public init(_ bytes: borrowing SecretBytes) throws(SRPError) {
    guard bytes.count == Self.size else { throw .secretBlockInvalid }
    let open = bytes.withBytes { Declassification.of([UInt8](unwipedCopy: $0.extracting(first: 56))) }
    id = Array(open[..<16])
    end = Timestamp(seconds: open[16..<24].reduce(0) { $0 << 8 | Int64($1) })
    context = Array(open[24...])
    key = bytes.withBytes { SecretBytes($0.extracting(droppingFirst: 56)) }
  }

  /// A digest of texts, none of which can take over a part of another.
  static func context(_ parts: [String]) throws(SRPError) -> [UInt8] {
    var message: [UInt8] = []
    for part in parts {
      let count = UInt64(part.utf8.count)
      for shift in stride(from: 56, through: 0, by: -8) {
        message.append(UInt8(truncatingIfNeeded: count >> UInt64(shift)))
      }
      message.append(part)
    }
    return try SRPError.of { () throws(CryptoError) in try DigestAlgorithm.sha256.hash(message.span) }
  }
}

/// Where challenges are kept until they are answered: sealed in the block that goes to the client, or stored here.
public protocol CognitoSecretBlocks: Sendable {
  /// The block that stands for a challenge.
  func issue(_ challenge: borrowing CognitoPendingChallenge, at now: Timestamp) async throws(SRPError)
    -> [UInt8]

  /// The challenge that a block stands for. A block is good for one attempt, whatever comes of it: the second time it is
  /// refused.
  ///
  /// Throws `secretBlockInvalid`, `secretBlockExpired`, `secretBlockReplayed`.
  func redeem(_ block: [UInt8], at now: Timestamp) async throws(SRPError) -> CognitoPendingChallenge
}

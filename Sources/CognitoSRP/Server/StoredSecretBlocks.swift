public import SecureRemotePassword
internal import Synchronization
internal import TokenSecurityCrypto

/// Stores challenges in one process's memory. The block is a random id, and its challenge is removed when it
/// is redeemed.
public final class StoredSecretBlocks: CognitoSecretBlocks {
  /// The most open challenges, about 350 bytes each.
  ///
  /// When there are as many, a new one replaces the oldest: anyone can request challenges, and a store that
  /// refused new ones would let an attacker stop all sign-ins. A user whose challenge was removed signs in
  /// again.
  public let capacity: Int

  /// A reference, because a dictionary cannot contain a noncopyable value.
  private final class Challenge: Sendable {
    let bytes: SecretBytes
    init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
  }

  private let open = Mutex(ExpiringTable<Challenge>())

  /// Creates an empty store.
  ///
  /// - Parameter capacity: the most open challenges, at least one. Default: 100,000.
  public init(capacity: Int = 100_000) { self.capacity = max(1, capacity) }

  /// Stores a challenge under its id, which is the block.
  public func issue(
    _ challenge: borrowing CognitoPendingChallenge, at now: Timestamp = .now
  ) throws(SRPError) -> [UInt8] {
    let stored = Challenge(challenge.bytes())
    let id = challenge.id
    let end = challenge.end.seconds
    let key = try Self.key(id)
    open.withLock { open in
      open.removeExpired(at: now.seconds)
      // By age and not by end: a clock that went back leaves ends that are far ahead.
      open.insert(key, until: end, rank: 0, stored)
      if open.count > capacity { _ = open.removeFirst() }
    }
    return id
  }

  /// Removes the challenge of a block.
  public func redeem(_ block: [UInt8], at now: Timestamp = .now) throws(SRPError) -> CognitoPendingChallenge {
    let key = try Self.key(block)
    guard let entry = open.withLock({ $0.remove(key) }) else { throw .secretBlockInvalid }
    guard now.seconds <= entry.end else {
      throw .secretBlockExpired(at: Timestamp(seconds: entry.end), now: now)
    }
    return try CognitoPendingChallenge(entry.value.bytes)
  }

  private static func key(_ id: [UInt8]) throws(SRPError) -> DigestKey {
    DigestKey(try SRPError.of { () throws(CryptoError) in try DigestAlgorithm.sha256(of: id.span) })
  }

  /// The number of open challenges.
  public var count: Int { open.withLock { $0.count } }
}

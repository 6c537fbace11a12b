public import SecureRemotePassword
internal import TokenSecurityCrypto
internal import Synchronization

/// The blocks that were used, in one process's memory.
///
/// What is forgotten cannot come again: the memory refuses every block that ends in the same second as a forgotten one.
/// So neither a full memory nor a clock that was ahead lets a block in twice, and neither of them refuses the sign-ins
/// that follow.
public final class CognitoBlockMemory: CognitoBlockUses {
  /// The most that are remembered. An entry takes about 250 bytes, however long its id is.
  ///
  /// When all of them could still come again, the one that ends first is forgotten, and the other blocks that end in
  /// that second are refused.
  public let capacity: Int

  private struct State {
    var ends = ExpiringTable<Void>()
    /// Blocks that end at these instants are refused.
    var forgotten = ForgottenEnds()
  }

  private let state = Mutex(State())

  /// A memory for so many blocks, by default 100,000.
  public init(capacity: Int = 100_000) { self.capacity = max(1, capacity) }

  public func isFirstUse(of id: [UInt8], until end: Timestamp, at now: Timestamp) -> Bool {
    guard let id = try? IDDigest(id) else { return false }
    return state.withLock { state in
      for end in state.ends.removeExpired(at: now.seconds) { state.forgotten.insert(end) }
      guard !state.forgotten.contains(end.seconds), !state.ends.contains(id) else { return false }
      state.ends.insert(id, until: end.seconds, rank: end.seconds, ())
      if state.ends.count > capacity, let first = state.ends.removeFirst() {
        state.forgotten.insert(first.end)
      }
      return true
    }
  }

  /// How many blocks are remembered.
  public var count: Int { state.withLock { $0.ends.count } }
}

/// Challenges stored in one process's memory: the block is a random name, and its challenge is removed when it is used.
public final class StoredSecretBlocks: CognitoSecretBlocks {
  /// The most challenges that are open at a time. One takes about 350 bytes.
  ///
  /// When there are as many, the oldest is dropped for a new one: anyone can ask for challenges, so a store that refused
  /// new ones would let a stranger stop all sign-ins. A user whose challenge was dropped signs in again.
  public let capacity: Int

  /// Dictionaries cannot hold what cannot be copied.
  private final class Held: Sendable {
    let bytes: SecretBytes
    init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
  }

  private let open = Mutex(ExpiringTable<Held>())

  /// Room for so many challenges, by default 100,000.
  public init(capacity: Int = 100_000) { self.capacity = max(1, capacity) }

  public func issue(
    _ challenge: borrowing CognitoPendingChallenge, at now: Timestamp
  ) throws(SRPError) -> [UInt8] {
    let held = Held(challenge.bytes())
    let id = challenge.id
    let end = challenge.end.seconds
    let digest = try IDDigest(id)
    open.withLock { open in
      _ = open.removeExpired(at: now.seconds)
      // By age, not by end: a clock that went back leaves ends that are far ahead.
      open.insert(digest, until: end, rank: 0, held)
      if open.count > capacity { _ = open.removeFirst() }
    }
    return id
  }

  public func redeem(_ block: [UInt8], at now: Timestamp) throws(SRPError) -> CognitoPendingChallenge {
    let digest = try IDDigest(block)
    guard let entry = open.withLock({ $0.remove(digest) }) else { throw .secretBlockInvalid }
    guard now.seconds <= entry.end else {
      throw .secretBlockExpired(at: Timestamp(seconds: entry.end), now: now)
    }
    return try CognitoPendingChallenge(entry.value.bytes)
  }

  /// How many challenges are open.
  public var count: Int { open.withLock { $0.count } }
}

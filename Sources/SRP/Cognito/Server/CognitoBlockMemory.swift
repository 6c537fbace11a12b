internal import Synchronization

/// The blocks that were used, in one process's memory.
public final class CognitoBlockMemory: CognitoBlockUses {
  /// The most that are remembered. When all of them could still come again, no more are taken: forgetting one would let
  /// it in again.
  public let capacity: Int

  private struct State {
    var ends: [[UInt8]: Int64] = [:]
    /// The earliest end when they were last gone through: before it there is nothing to forget.
    var firstEnd: Int64?
  }

  private let state = Mutex(State())

  /// A memory for so many blocks; 100,000 unless said otherwise.
  public init(capacity: Int = 100_000) { self.capacity = max(1, capacity) }

  public func isFirstUse(of id: [UInt8], until end: Int64, at now: Int64) -> Bool {
    state.withLock { state in
      if state.ends[id] != nil { return false }
      if state.ends.count >= capacity, state.firstEnd.map({ $0 <= now }) ?? true {
        state.ends = state.ends.filter { now < $0.value }
        state.firstEnd = state.ends.values.min()
      }
      guard state.ends.count < capacity else { return false }
      state.ends[id] = end
      state.firstEnd = state.firstEnd.map { min($0, end) } ?? end
      return true
    }
  }

  /// How many blocks are remembered.
  public var count: Int { state.withLock { $0.ends.count } }
}

/// Challenges stored in one process's memory: the block is a random name, and what it stands for goes when it is used.
public final class StoredSecretBlocks: CognitoSecretBlocks {
  /// The most challenges that are open at a time.
  public let capacity: Int

  /// What cannot be copied cannot stand in a dictionary.
  private final class Held: Sendable {
    let challenge: CognitoPendingChallenge
    init(_ challenge: consuming CognitoPendingChallenge) { self.challenge = challenge }
  }

  private let open = Mutex<[[UInt8]: Held]>([:])

  /// Room for so many challenges; 100,000 unless said otherwise.
  public init(capacity: Int = 100_000) { self.capacity = max(1, capacity) }

  public func issue(
    _ challenge: borrowing CognitoPendingChallenge, at now: Int64
  ) throws(SRPError) -> [UInt8] {
    let held = Held(try CognitoPendingChallenge(challenge.bytes()))
    let id = challenge.id
    let isKept = open.withLock { open in
      if open.count >= capacity { open = open.filter { now < $0.value.challenge.end } }
      guard open.count < capacity else { return false }
      open[id] = held
      return true
    }
    guard isKept else { throw .challengesExhausted(capacity: capacity) }
    return id
  }

  public func redeem(_ block: [UInt8], at now: Int64) throws(SRPError) -> CognitoPendingChallenge {
    guard let held = open.withLock({ $0.removeValue(forKey: block) }) else { throw .secretBlockInvalid }
    guard now < held.challenge.end else { throw .secretBlockExpired(at: held.challenge.end, now: now) }
    return try CognitoPendingChallenge(held.challenge.bytes())
  }

  /// How many challenges are open.
  public var count: Int { open.withLock { $0.count } }
}

internal import Synchronization
internal import TokenSecurityPlatform

/// Tables of tokens, each used by one thread at a time. A verification never waits for a table: it does
/// without one that is in use.
@safe
final class TokenShards: @unchecked Sendable {
  @safe
  private struct Shard: ~Copyable {
    let isTaken = Atomic<Bool>(false)
    var table: TokenTable
    // 128 bytes: processors fetch cache lines of 64 bytes in pairs.
    private let padding: (Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int) =
      (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

    init(_ table: TokenTable) { self.table = table }
  }

  /// The number of shards, a power of two.
  let count: Int
  private let shards: UnsafeMutablePointer<Shard>

  /// Empty shards that share these limits equally. Each has a part of at least 64 tokens and 256 KiB, so
  /// that few shards are full long before others, and large tokens have a place.
  init(capacity: Int, byteLimit: Int) {
    var count = 1
    while count < 64, capacity / (count * 2) >= 64, byteLimit / (count * 2) >= 1 << 18 { count *= 2 }
    self.count = count
    unsafe shards = UnsafeMutablePointer<Shard>.allocate(capacity: count)
    for index in 0..<count {
      let table = TokenTable(capacity: capacity / count, byteLimit: byteLimit / count)
      unsafe (shards + index).initialize(to: Shard(table))
    }
  }

  deinit {
    unsafe shards.deinitialize(count: count)
    unsafe shards.deallocate()
  }

  /// The shard of a hash, and a second one that also depends on the thread.
  func places(_ hash: UInt64) -> (own: Int, home: Int) {
    let home = Int(truncatingIfNeeded: hash >> 32) & (count - 1)
    guard count > 1 else { return (home, home) }
    // Knuth's multiplicative hash spreads the threads over the shards.
    let thread = (CurrentThread.number &* 0x9E37_79B9_7F4A_7C15) >> 32
    return (home ^ (1 + Int(truncatingIfNeeded: thread) % (count - 1)), home)
  }

  /// Calls `body` with a table; nil without calling it if another thread uses the table.
  @inline(__always)
  func use<R>(_ index: Int, _ body: (inout TokenTable) -> R) -> R? {
    precondition(index >= 0 && index < count)
    let shard = unsafe shards + index
    let taken = unsafe shard.pointee.isTaken.compareExchange(
      expected: false, desired: true, ordering: .acquiring)
    guard taken.exchanged else { return nil }
    defer { unsafe shard.pointee.isTaken.store(false, ordering: .releasing) }
    return unsafe body(&shard.pointee.table)
  }

  /// Calls `body` with a table, if necessary after other threads have used it. No verification calls this.
  func wait<R>(for index: Int, _ body: (inout TokenTable) -> R) -> R {
    while true {
      if let result = use(index, body) { return result }
      CurrentThread.yield()
    }
  }
}

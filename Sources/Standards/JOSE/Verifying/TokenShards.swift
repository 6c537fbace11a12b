internal import Synchronization
internal import TokenSecurityPlatform

/// Tables of tokens, each used by one thread at a time. A verification never waits for a table: it does
/// without one that is in use.
@safe
final class TokenShards: @unchecked Sendable {
  /// The number of shards, a power of two.
  let count: Int
  /// For each shard a flag, true while a thread uses the shard, and its table.
  private let memory: UnsafeMutableRawPointer

  private typealias Flag = Atomic<Bool>

  private static var tableOffset: Int { MemoryLayout<TokenTable>.alignment }
  /// The size of a shard's memory: a multiple of 128 bytes, since processors fetch cache lines of 64 bytes in
  /// pairs, and shards that share one would slow each other.
  private static var stride: Int { (tableOffset + MemoryLayout<TokenTable>.size + 127) & ~127 }

  /// Empty shards that share these limits equally. Each has a part of at least 64 tokens and 256 KiB, so
  /// that few shards are full long before others, and large tokens fit.
  init(capacity: Int, byteLimit: Int) {
    var count = 1
    while count < 64, capacity / (count * 2) >= 64, byteLimit / (count * 2) >= 1 << 18 { count *= 2 }
    self.count = count
    unsafe memory = .allocate(byteCount: count * Self.stride, alignment: 128)
    for index in 0..<count {
      let start = unsafe memory + index * Self.stride
      unsafe start.bindMemory(to: Flag.self, capacity: 1).initialize(to: Flag(false))
      unsafe (start + Self.tableOffset).bindMemory(to: TokenTable.self, capacity: 1)
        .initialize(to: TokenTable(capacity: capacity / count, byteLimit: byteLimit / count))
    }
  }

  deinit {
    for index in 0..<count {
      unsafe flag(index).deinitialize(count: 1)
      unsafe table(index).deinitialize(count: 1)
    }
    unsafe memory.deallocate()
  }

  // Safe: `init` has bound the memory of `count` shards to these types. Flag and table have pointers of their
  // own, because a thread reads the flag while another one changes the table.

  private func flag(_ index: Int) -> UnsafeMutablePointer<Flag> {
    precondition(index >= 0 && index < count)
    return unsafe (memory + index * Self.stride).assumingMemoryBound(to: Flag.self)
  }

  private func table(_ index: Int) -> UnsafeMutablePointer<TokenTable> {
    precondition(index >= 0 && index < count)
    return unsafe (memory + index * Self.stride + Self.tableOffset).assumingMemoryBound(to: TokenTable.self)
  }

  /// `home`: the shard of a hash; `own`: a second one that also depends on the thread.
  func indices(_ hash: UInt64) -> (own: Int, home: Int) {
    let home = Int(truncatingIfNeeded: hash >> 32) & (count - 1)
    guard count > 1 else { return (home, home) }
    // Knuth's multiplicative hash spreads the threads over the shards.
    let thread = (CurrentThread.number &* 0x9E37_79B9_7F4A_7C15) >> 32
    return (home ^ (1 + Int(truncatingIfNeeded: thread) % (count - 1)), home)
  }

  /// Calls `body` with a table; nil without calling it if another thread uses the table.
  @inline(__always)
  func use<R>(_ index: Int, _ body: (inout TokenTable) -> R) -> R? {
    let flag = unsafe flag(index)
    let isFree = unsafe flag.pointee.compareExchange(expected: false, desired: true, ordering: .acquiring)
    guard isFree.exchanged else { return nil }
    defer { unsafe flag.pointee.store(false, ordering: .releasing) }
    return unsafe body(&table(index).pointee)
  }

  /// Calls `body` with a table, if necessary after other threads have used it. No verification calls this.
  func wait<R>(for index: Int, _ body: (inout TokenTable) -> R) -> R {
    while true {
      if let result = use(index, body) { return result }
      CurrentThread.yield()
    }
  }
}

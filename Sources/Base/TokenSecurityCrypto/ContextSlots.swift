internal import TokenSecurityPlatform
internal import Synchronization

/// Two libcrypto contexts that one thread uses at a time.
@unsafe
struct ContextPair {
  let key: OpaquePointer
  let scratch: OpaquePointer?
}

/// A pool of contexts, so that none is made for each token.
///
/// No thread waits for another: each starts at a slot of its own, takes the first of a few free slots, and
/// makes temporary contexts if there is none. Slots are on separate cache lines, so that cores do not contend
/// for them.
@safe
final class ContextSlots: @unchecked Sendable {
  @safe
  private struct Slot: ~Copyable {
    let isTaken = Atomic<Bool>(false)
    var pair: ContextPair?
    // 128 bytes: processors fetch cache lines of 64 bytes in pairs.
    private let padding: (Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int) =
      (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  }

  private static let count = 16
  private static let attempts = 3

  private let slots: UnsafeMutablePointer<Slot>
  private let make: @Sendable () -> ContextPair?
  private let discard: @Sendable (ContextPair) -> Void

  /// Slots whose contexts `make` creates on first use and `discard` frees at the end.
  init(
    make: @escaping @Sendable () -> ContextPair?,
    discard: @escaping @Sendable (ContextPair) -> Void
  ) {
    unsafe slots = UnsafeMutablePointer<Slot>.allocate(capacity: Self.count)
    for index in 0..<Self.count {
      unsafe (slots + index).initialize(to: Slot(pair: nil))
    }
    unsafe self.make = unsafe make
    unsafe self.discard = unsafe discard
  }

  deinit {
    for index in 0..<Self.count {
      if let pair = unsafe slots[index].pair { unsafe discard(pair) }
    }
    unsafe slots.deinitialize(count: Self.count)
    unsafe slots.deallocate()
  }

  /// Calls `body` with a pair that no other thread uses meanwhile; nil if libcrypto could not create one.
  @inline(__always)
  func withPair<R>(_ body: (ContextPair) -> R) -> R? {
    // Knuth's multiplicative hash spreads the threads over the slots.
    let thread = CurrentThread.number &* 0x9E37_79B9_7F4A_7C15
    var index = Int(truncatingIfNeeded: thread >> 60)
    for _ in 0..<Self.attempts {
      let slot = unsafe slots + index
      let taken = unsafe slot.pointee.isTaken.compareExchange(
        expected: false, desired: true, ordering: .acquiring)
      if taken.exchanged {
        defer { unsafe slot.pointee.isTaken.store(false, ordering: .releasing) }
        if let pair = unsafe slot.pointee.pair { return unsafe body(pair) }
        guard let pair = unsafe make() else { return nil }
        unsafe slot.pointee.pair = unsafe pair
        return unsafe body(pair)
      }
      index = (index + 1) % Self.count
    }
    guard let pair = unsafe make() else { return nil }
    defer { unsafe discard(pair) }
    return unsafe body(pair)
  }
}

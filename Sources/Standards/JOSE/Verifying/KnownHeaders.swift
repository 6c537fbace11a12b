internal import Synchronization
internal import TokenSecurityBase

/// The headers of tokens that one verifier has verified, as these tokens encode them.
///
/// An issuer's tokens have few headers, and what a policy and a set of keys decide about a header does not
/// change. So a token that begins with a known header needs neither decoding nor checking of it. Only
/// verified tokens add headers, and only the first few are kept. No thread waits for another, and reading
/// changes no memory.
@safe
final class KnownHeaders: @unchecked Sendable {
  @safe
  private struct Slot: ~Copyable {
    let header = unsafe Atomic<Unmanaged<KnownHeader>?>(nil)
  }

  /// Access and ID tokens may have keys of their own, and during a change of keys there are twice as many.
  private static let count = 4

  private let slots: UnsafeMutablePointer<Slot>

  init() {
    unsafe slots = UnsafeMutablePointer<Slot>.allocate(capacity: Self.count)
    for index in 0..<Self.count { unsafe (slots + index).initialize(to: Slot()) }
  }

  deinit {
    for index in 0..<Self.count { unsafe slots[index].header.load(ordering: .acquiring)?.release() }
    unsafe slots.deinitialize(count: Self.count)
    unsafe slots.deallocate()
  }

  /// Calls `body` with the header that `compact` begins with; nil if none is known.
  @inline(__always)
  func withHeader<R>(of compact: String, _ body: (KnownHeader) throws(JOSEError) -> R) throws(JOSEError) -> R?
  {
    for index in 0..<Self.count {
      guard let header = unsafe slots[index].header.load(ordering: .acquiring) else { return nil }
      // Safe: a header stays in its slot, which owns it, as long as this object. So its reference count,
      // for which threads would contend, does not change.
      guard unsafe header._withUnsafeGuaranteedRef({ $0.begins(compact) }) else { continue }
      let result = unsafe header._withUnsafeGuaranteedRef { header in
        Result { () throws(JOSEError) in try body(header) }
      }
      return try result.get()
    }
    return nil
  }

  /// True if there is a free slot.
  var hasRoom: Bool { unsafe slots[Self.count - 1].header.load(ordering: .relaxed) == nil }

  /// Adds the header of `compact`, unless it is known or there is no free slot.
  func insert(_ header: KnownHeader, of compact: String) {
    let added = unsafe Unmanaged.passRetained(header)
    for index in 0..<Self.count {
      let (isAdded, present) = unsafe slots[index].header.compareExchange(
        expected: nil, desired: added, ordering: .acquiringAndReleasing)
      if isAdded { return }
      // Safe: the slot owns the header that is present. Another thread may have added the same one.
      if unsafe present?._withUnsafeGuaranteedRef({ $0.begins(compact) }) == true { break }
    }
    unsafe added.release()
  }
}

/// A header that a verifier has accepted.
final class KnownHeader: Sendable {
  /// The encoded header and the dot after it.
  private let text: TextTable
  /// The size of the encoded header.
  let size: Int
  let algorithm: Algorithm
  let candidates: PreparedKeys.Candidates
  let key: PreparedKeys.KeyName

  init(
    of compact: String, size: Int, _ algorithm: Algorithm, _ candidates: PreparedKeys.Candidates,
    key: PreparedKeys.KeyName
  ) {
    text = TextTable([String(decoding: compact.utf8.prefix(size + 1), as: UTF8.self)])
    self.size = size
    self.algorithm = algorithm
    self.candidates = candidates
    self.key = key
  }

  /// True if `compact` begins with this header.
  func begins(_ compact: String) -> Bool { text.begins(compact.utf8.span, 0) }
}

internal import TokenSecurityEncodings
internal import Synchronization

/// Refuses a request that came before: one process's ``ReplayCache``, or a store that several processes share.
public protocol ReplayGuard: Sendable {
  /// Remembers a request until an instant; false where it is remembered already, or where there is no room.
  ///
  /// - Parameters:
  ///   - request: its access key and its string to sign. It can be long: store a hash of it.
  ///   - placement: where the signature is. A presigned URL may be meant to be used more than once.
  ///   - end: the last instant at which the request is valid; it is still valid at that instant.
  ///   - now: the instant at which the request was verified.
  func admit(
    _ request: [UInt8], placement: SignaturePlacement, until end: Timestamp, at now: Timestamp
  ) -> Bool
}

/// The requests that one process has accepted, each remembered as long as its date makes it valid.
///
/// An entry is a SHA-256 digest and an instant, whatever the size of the request: memory is bounded by ``capacity``. An
/// admission releases at most two expired entries, so no caller waits for a walk through all of them.
///
/// The clock may jump. After a jump ahead entries are released only when 1,024 admissions have seen the later time, or
/// when the cache is full; after a jump back, entries that are too far ahead to be valid give way when room is needed.
public final class ReplayCache: ReplayGuard {
  /// The most requests that are remembered. While all of them are still valid, nothing new is admitted: to forget one
  /// would let it in again.
  public let capacity: Int
  /// True where a presigned URL counts once, too.
  public let includesPresigned: Bool

  private let state = Mutex(ReplayEntries())

  /// A cache.
  ///
  /// - Parameters:
  ///   - capacity: the most requests that are remembered, at least one.
  ///   - includesPresigned: true where a presigned URL counts once, too.
  public init(capacity: Int = 100_000, includesPresigned: Bool = false) {
    self.capacity = max(1, capacity)
    self.includesPresigned = includesPresigned
  }

  public func admit(
    _ request: [UInt8], placement: SignaturePlacement, until end: Timestamp, at now: Timestamp
  ) -> Bool {
    guard placement == .header || includesPresigned else { return true }
    guard let digest = try? SigV4Error.digest(request.span) else { return false }
    let name = ReplayEntries.Name(digest)
    return state.withLock {
      $0.admit(name, until: end.seconds, at: now.seconds, capacity: capacity)
    }
  }

  /// How many requests are remembered.
  public var count: Int { state.withLock { $0.count } }
}

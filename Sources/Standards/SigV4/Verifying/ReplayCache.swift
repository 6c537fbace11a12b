internal import Synchronization
internal import TokenSecurityBase

/// Refuses a request that was accepted before: a ``ReplayCache`` for one process, or a store that several
/// processes share.
public protocol ReplayGuard: Sendable {
  /// Stores a request until an instant.
  ///
  /// - Parameters:
  ///   - request: the access key ID and the string to sign. It can be long: store a hash of it.
  ///   - placement: where the signature is. A presigned URL may be meant to be used more than once.
  ///   - end: the last instant at which the request is valid, that instant included.
  ///   - now: the instant at which the request was verified.
  /// - Returns: true for a new request; false for one that is stored already, and when the store is full.
  func insert(
    _ request: [UInt8], placement: SignaturePlacement, until end: Timestamp, at now: Timestamp
  ) -> Bool
}

/// The requests that one process has accepted, each stored as long as its date makes it valid.
///
/// An entry is a SHA-256 digest and an instant, about 200 bytes for a request of any size. Expired entries
/// are removed at insertions, at most two each, so that no caller waits for a walk through all of them.
///
/// The clock may jump. After a jump ahead, entries are removed only when 1,024 insertions have seen the later
/// time, or when the cache is full. After a jump back, entries that end too far ahead to be valid are removed
/// when the cache is full.
public final class ReplayCache: ReplayGuard {
  /// Maximum number of stored requests. While all of them are valid, new requests are refused: a removed
  /// request would be accepted again.
  public let capacity: Int
  /// Whether a presigned URL, too, is accepted only once.
  public let includesPresigned: Bool

  private let entries: Mutex<ExpiringSet>

  /// Creates an empty cache.
  ///
  /// - Parameters:
  ///   - capacity: the most requests that are stored, at least one.
  ///   - includesPresigned: whether a presigned URL, too, is accepted only once.
  public init(capacity: Int = 100_000, includesPresigned: Bool = false) {
    self.capacity = max(1, capacity)
    self.includesPresigned = includesPresigned
    entries = Mutex(ExpiringSet(capacity: capacity))
  }

  /// Stores a request until an instant; presigned URLs only with ``includesPresigned``.
  public func insert(
    _ request: [UInt8], placement: SignaturePlacement, until end: Timestamp, at now: Timestamp = .now
  ) -> Bool {
    guard placement == .header || includesPresigned else { return true }
    guard let digest = try? SigV4Error.digest(request.span) else { return false }
    return entries.withLock { $0.insert(DigestKey(digest), until: end, at: now) }
  }

  /// The number of stored requests.
  public var count: Int { entries.withLock { $0.count } }
}

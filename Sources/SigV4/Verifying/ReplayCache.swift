internal import Synchronization

/// What refuses a request that came before: one process's ``ReplayCache``, or a store that several share.
public protocol ReplayGuard: Sendable {
  /// Remembers a request until an instant; false where it is remembered already, or where there is no room.
  ///
  /// `request`: its access key and its string to sign; hash it before storing it elsewhere.
  /// `placement`: a presigned URL may be meant to be used more than once.
  func admit(
    _ request: [UInt8], placement: SignatureParameters.Placement, until end: AmzDate, at now: AmzDate
  ) -> Bool
}

/// Requests that were taken, remembered until their date would refuse them anyway.
public final class ReplayCache: ReplayGuard {
  /// The most requests that are remembered. When all could still be repeated, nothing new is taken: forgetting one
  /// would let it in again.
  public let capacity: Int
  /// True where a presigned URL counts once, too.
  public let includesPresigned: Bool

  private struct State {
    var ends: [[UInt8]: AmzDate] = [:]
    /// The earliest end when they were last gone through: before it there is nothing to forget.
    var firstEnd: AmzDate?
  }

  private let state = Mutex(State())

  /// A memory for so many requests; 100,000 unless said otherwise.
  public init(capacity: Int = 100_000, includesPresigned: Bool = false) {
    self.capacity = max(1, capacity)
    self.includesPresigned = includesPresigned
  }

  public func admit(
    _ request: [UInt8], placement: SignatureParameters.Placement, until end: AmzDate, at now: AmzDate
  ) -> Bool {
    guard placement == .header || includesPresigned else { return true }
    guard let name = try? SigV4Error.hash(request.span) else { return false }
    return state.withLock { state in
      if let known = state.ends[name], now <= known { return false }
      if state.ends.count >= capacity, state.firstEnd.map({ $0 < now }) ?? true {
        state.ends = state.ends.filter { now <= $0.value }
        state.firstEnd = state.ends.values.min()
      }
      guard state.ends.count < capacity || state.ends[name] != nil else { return false }
      state.ends[name] = end
      state.firstEnd = state.firstEnd.map { min($0, end) }
      return true
    }
  }

  /// How many requests are remembered.
  public var count: Int { state.withLock { $0.ends.count } }
}

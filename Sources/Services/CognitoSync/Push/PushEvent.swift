extension PushDelivery {
  /// The outcome of a message.
  public struct Event: Sendable, Equatable {
    /// The outcome of the message.
    public enum Outcome: Sendable, Equatable {
      /// It was sent.
      case sent
      /// It could not be sent, and is tried again.
      case delayed(PushError)
      /// It cannot be sent, and was removed.
      case dropped(PushError)
      /// The device is not subscribed any more.
      case withdrawn
      /// Messages of the pool on this many changes had no room in the outbox.
      case lost(Int)
      /// The endpoint of a device that is gone was removed.
      case endpointRemoved
      /// The endpoint could not be removed. It is tried again.
      case endpointDelayed(PushError)
      /// The endpoint cannot be removed.
      case endpointLeft(PushError)
      /// The outbox could not be read or written.
      case storeFailed(SyncError)
    }

    /// The pool's id; empty for `storeFailed` without a message or endpoint.
    public let poolID: String
    /// The device's id; empty as ``poolID``, for `lost`, and for endpoints, whose device is gone.
    public let deviceID: String
    /// How often it was tried.
    public let attempts: Int64
    /// The outcome of the message.
    public let outcome: Outcome
  }
}

internal import Synchronization
internal import TokenSecurityPlatform

/// Wakes the deliveries of this process when a message is put into the outbox.
///
/// A message is put there within a transaction, which other tasks see only after its end. A delivery that is
/// woken therefore looks several times.
final class OutboxSignal: Sendable {
  private final class Lane: Sendable {
    let signal = WakeSignal()
    let lastRing = Mutex<ContinuousClock.Instant?>(nil)
  }

  private let clock: @Sendable () -> ContinuousClock.Instant
  private let email = Lane()
  private let sms = Lane()

  init(clock: @escaping @Sendable () -> ContinuousClock.Instant) { self.clock = clock }

  private func lane(_ medium: DeliveryMedium) -> Lane {
    switch medium {
    case .email: email
    case .sms: sms
    }
  }

  /// The signal that wakes the deliveries of a medium.
  func signal(of medium: DeliveryMedium) -> WakeSignal { lane(medium).signal }

  /// Wakes the deliveries of a medium, for a message that a transaction puts into the outbox.
  func ring(_ medium: DeliveryMedium) {
    let now = clock()
    lane(medium).lastRing.withLock { $0 = now }
    lane(medium).signal.wake()
  }

  /// Returns whether a message was put into the outbox a moment ago.
  func hasRung(_ medium: DeliveryMedium, within time: Duration) -> Bool {
    guard let last = lane(medium).lastRing.withLock({ $0 }) else { return false }
    return clock() - last < time
  }
}

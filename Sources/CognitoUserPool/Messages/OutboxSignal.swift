internal import Synchronization

/// Wakes the deliveries of this process when a message is put into the outbox.
///
/// A message is put there within a transaction, which other tasks see only after its end. A delivery that is
/// woken therefore looks several times.
final class OutboxSignal: Sendable {
  private struct State {
    var number = 0
    var lastRing: ContinuousClock.Instant?
    var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
  }

  private let lanes: [(lane: DeliveryMedium, state: Lane)] = DeliveryMedium.allCases.map { ($0, Lane()) }

  private final class Lane: Sendable {
    let state = Mutex(State())
  }

  private func lane(_ medium: DeliveryMedium) -> Lane? { lanes.first { $0.lane == medium }?.state }

  /// Wakes the deliveries of a medium, for a message that a transaction puts into the outbox.
  func ring(_ medium: DeliveryMedium) {
    lane(medium)?.state.withLock { $0.lastRing = .now }
    wake(medium)
  }

  /// Wakes the deliveries of a medium to look once.
  func wake(_ medium: DeliveryMedium) {
    guard let listeners = lane(medium)?.state.withLock({ $0.listeners }) else { return }
    for listener in listeners.values { listener.yield() }
  }

  /// Returns whether a message was put into the outbox a moment ago.
  func hasRung(_ medium: DeliveryMedium, within time: Duration) -> Bool {
    guard let last = lane(medium)?.state.withLock({ $0.lastRing }) else { return false }
    return ContinuousClock.now - last < time
  }

  /// Rings of a medium, several in a row as one.
  func rings(_ medium: DeliveryMedium) -> AsyncStream<Void> {
    let (stream, listener) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    guard let lane = lane(medium) else { return stream }
    let number = lane.state.withLock { state in
      state.number += 1
      state.listeners[state.number] = listener
      return state.number
    }
    listener.onTermination = { _ in lane.state.withLock { $0.listeners[number] = nil } }
    return stream
  }
}

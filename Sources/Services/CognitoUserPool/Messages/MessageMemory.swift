internal import Synchronization
internal import TokenSecurityBase

/// A sender that keeps messages in memory, for tests.
public final class MessageMemory: MessageSender {
  private struct State {
    var messages: [OutgoingMessage] = []
    var failures: [MessageError] = []
  }

  private let state = Mutex(State())
  private let limit: Int

  /// An empty memory.
  ///
  /// - Parameter limit: the most messages; the oldest ones are forgotten. Default: 10,000.
  public init(limit: Int = 10_000) { self.limit = max(1, limit) }

  /// The messages, the first one first.
  public var messages: [OutgoingMessage] { state.withLock { $0.messages } }

  /// The last message to an address, or nil.
  ///
  /// - Parameter destination: the address.
  /// - Returns: the message.
  public func last(to destination: String) -> OutgoingMessage? {
    messages.last { $0.destination == destination }
  }

  /// Lets the next calls of ``send(_:)`` fail, one with each error.
  ///
  /// - Parameter errors: the errors.
  public func fail(_ errors: [MessageError]) { state.withLock { $0.failures += errors } }

  /// Keeps a message.
  ///
  /// - Parameter message: the message.
  /// - Throws: the errors of ``fail(_:)``.
  public func send(_ message: OutgoingMessage) async throws(MessageError) {
    let failure = state.withLock { state -> MessageError? in
      if !state.failures.isEmpty { return state.failures.removeFirst() }
      if state.messages.count >= limit { state.messages.removeFirst() }
      state.messages.append(message)
      return nil
    }
    if let failure { throw failure }
  }
}

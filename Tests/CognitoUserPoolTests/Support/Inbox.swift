internal import CognitoUserPool
internal import Synchronization
internal import Testing
internal import TokenSecurityBase

/// Reads the messages that wait in a service's outbox. Nothing sends them, so that no test waits for a delivery.
final class Inbox: Sendable {
  private let read = Mutex<Set<ExactString>>([])

  /// The messages that no earlier call returned, in no order.
  func messages(of pool: TestPool) async throws -> [OutgoingMessage] {
    let rows = try await pool.store.read(at: pool.clock.time, .fresh) { rows throws(UserPoolError) in
      try rows.scan(UserPoolTables.outbox, limit: 1_000).filter { !$0.isSimulated }
    }
    let unread = read.withLock { read in rows.filter { read.insert(ExactString($0.id)).inserted } }
    return try unread.map { try #require(try $0.message(pool.service.secrets)) }
  }
}

extension TestPool {
  /// The messages since the last call, in no order.
  func messages() async throws -> [OutgoingMessage] { try await inbox.messages(of: self) }

  /// The code of the only message since the last call.
  func code() async throws -> String { try await messages().only().code }
}

extension [OutgoingMessage] {
  /// The only message. Of several none is the last one: messages of one second have no order.
  func only(sourceLocation: SourceLocation = #_sourceLocation) throws -> OutgoingMessage {
    try #require(count == 1, sourceLocation: sourceLocation)
    return self[0]
  }
}

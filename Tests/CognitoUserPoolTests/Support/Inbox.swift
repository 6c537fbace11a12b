internal import CognitoUserPool
internal import Synchronization
internal import Testing
internal import TokenSecurityEncodings

/// Reads the messages that wait in a service's outbox. Nothing sends them, so that no test waits for a delivery.
final class Inbox: Sendable {
  private let read = Mutex<Set<ExactString>>([])

  /// The messages that no earlier call returned, the first one first.
  func messages(of pool: TestPool) async throws -> [OutgoingMessage] {
    let rows = try await pool.store.read(at: pool.clock.now, .fresh) { rows throws(UserPoolError) in
      try rows.scan(UserPoolTables.outbox, limit: 1_000)
    }
    let unread = read.withLock { read in
      rows.filter { read.insert(ExactString($0.id)).inserted }.sorted { $0.created < $1.created }
    }
    return try unread.map { try #require(try $0.message(pool.service.secrets)) }
  }
}

extension TestPool {
  /// The messages since the last call.
  func messages() async throws -> [OutgoingMessage] { try await inbox.messages(of: self) }

  /// The code of the only message since the last call.
  func code() async throws -> String {
    let messages = try await messages()
    #expect(messages.count == 1)
    return try #require(messages.last).code
  }
}

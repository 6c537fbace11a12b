internal import JOSE
internal import Logging
internal import Records
internal import ServiceLifecycle
internal import Synchronization
internal import Testing
internal import TokenSecurityTesting
@testable internal import identity_service

/// The service that makes signing keys ahead of need.
@Suite struct SpareKeyMakingTests {
  private let clock = SettableClock()
  private let lines = LoggedLines()

  /// Runs the service with a source of keys, until `body` returns and a graceful shutdown has ended.
  private func running(
    _ keys: SpareSigningKeys, _ body: () async throws -> Void
  ) async throws {
    let service = SpareKeyMaking(keys: keys, logger: lines.logger, timers: clock)
    let silent = Logger(label: "group") { _ in SwiftLogNoOpLogHandler() }
    let group = ServiceGroup(configuration: .init(services: [service], logger: silent))
    let run = Task { try await group.run() }
    try await eventually { clock.sleepers == 1 }
    try await body()
    await group.triggerGracefulShutdown()
    try await run.value
  }

  private func stock(_ make: @escaping @Sendable () throws -> JWK) -> SpareSigningKeys {
    SpareSigningKeys(for: .es256, limit: 2, source: SigningKeyMaker { _ in try make() })
  }

  @Test func keysAreMadeAfterThePause() async throws {
    let keys = stock { try JWK.generate(.es256) }
    try await running(keys) {
      clock.advance(by: .milliseconds(4_999))
      await letOthersRun()
      #expect(keys.count == 0)
      clock.advance(by: .milliseconds(1))
      try await eventually { keys.count == 2 }
    }
    // A stopped stock has no keys.
    #expect(keys.count == 0)
    #expect(lines.all.isEmpty)
  }

  @Test func aShutdownDuringThePauseEndsItWithoutAKey() async throws {
    let made = Tally()
    let keys = stock {
      made.add()
      return try JWK.generate(.es256)
    }
    try await running(keys) {}
    #expect(made.value == 0)
    #expect(clock.sleepers == 0)
    #expect(lines.all.isEmpty)
  }

  @Test func anErrorIsLoggedWithItsReason() async throws {
    struct Unreachable: Error, CustomStringConvertible {
      var description: String { "the key management is unreachable" }
    }
    let keys = stock { throw Unreachable() }
    try await running(keys) {
      clock.advance(by: .seconds(5))
      try await eventually { !lines.all.isEmpty }
    }
    #expect(lines.all == ["error no spare signing key was made reason=the key management is unreachable"])
    #expect(keys.count == 0)
  }
}

/// The lines of a log, as text.
private final class LoggedLines: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }
  var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

  private struct Handler: LogHandler {
    let lines: LoggedLines
    var metadata = Logger.Metadata()
    var logLevel = Logger.Level.info

    init(lines: LoggedLines) { self.lines = lines }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let values = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
      lines.lines.withLock { $0.append("\(event.level) \(event.message)\(values.joined())") }
    }
  }
}

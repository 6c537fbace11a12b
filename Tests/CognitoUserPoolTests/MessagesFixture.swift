internal import CognitoUserPool
internal import Foundation
internal import Records
internal import RecordsSQLite
internal import SigningKeyTesting
internal import Synchronization
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// A pool with a user whose address is verified, and the outbox of its service.
struct MessagesFixture: Sendable {
  let service: UserPoolService
  var pool = UserPool()
  var user = User()

  static let now = Timestamp(seconds: 1_800_000_000)
  static let code = "418273"

  init(
    _ store: (any RecordStore)? = nil, hooks: HookRunner = HookRunner(nil),
    outbox: OutboxCapacity = OutboxCapacity(), master: UInt8 = 7
  ) throws {
    let key = [UInt8](repeating: master, count: 32)
    service = UserPoolService(
      store: try store ?? MemoryRecordStore(tables: UserPoolTables.all),
      secrets: try UserPoolSecrets(master: SecretBytes(key.span)), hooks: hooks, outbox: outbox,
      keyMaker: .vectors())
    pool.id = "us-east-1_abcdefghi"
    user.poolID = pool.id
    user.name = "jane"
    user.canonicalName = "jane"
    user.sub = "0c6a0a4e-6b1f-4f0e-9d6c-0e7a5d1d2f10"
    user.attributes = ["email": "jane@example.com", "email_verified": "true", "phone_number": "+15550100"]
  }

  /// A fixture whose outbox has small limits. The store is counted each time, or with a clock that stands, once.
  static func limited(
    _ store: (any RecordStore)? = nil, clock: (@Sendable () -> ContinuousClock.Instant)? = nil,
    _ set: (inout OutboxCapacity.Limits) -> Void
  ) throws -> MessagesFixture {
    var limits = OutboxCapacity.Limits()
    if clock == nil { limits.age = .zero }
    set(&limits)
    return try MessagesFixture(store, outbox: OutboxCapacity(limits: limits, clock: clock ?? { .now }))
  }

  /// Puts the user's messages in another pool.
  func inAnotherPool() -> MessagesFixture {
    var other = self
    other.pool.id = "us-east-1_bcdefghij"
    other.user.poolID = other.pool.id
    return other
  }

  var hookUser: HookUser { HookUser(user, in: pool, clientID: "client1") }

  /// Puts a message into the outbox.
  func enqueue(
    _ kind: MessageKind = .signUp, to destination: Destination = Destination(.email, "jane@example.com"),
    code: String = Self.code, lifetime: Duration = CodePurpose.signUp.lifetime,
    at now: Timestamp = Self.now
  ) async throws {
    let text = try await service.messages.text(kind, by: destination.medium, to: hookUser, lifetime: lifetime)
    let (user, secrets) = (user, service.secrets)
    try await service.store.write(at: now) { rows throws(UserPoolError) in
      try rows.enqueue(text, code: code, to: destination, of: user, secrets: secrets)
    }
  }

  /// Expects that a message is refused, since too many wait.
  func expectFull(sourceLocation: SourceLocation = #_sourceLocation) async {
    await #expect(
      throws: UserPoolError.deliveryFailed(rule: "too many messages wait to be sent"),
      sourceLocation: sourceLocation
    ) { try await enqueue(at: .now) }
  }

  /// The rows of the outbox that count at a time.
  func rows(at now: Timestamp = Self.now) async throws -> [OutboxRow] {
    try await service.store.read(at: now, .fresh) { rows throws(UserPoolError) in
      try rows.scan(UserPoolTables.outbox, limit: 1_000).filter { !$0.isSimulated }
    }
  }

  /// A folder of its own with a database.
  static func folder() throws -> String {
    let folder = FileManager.default.temporaryDirectory.path + "/user-pools-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }
}

/// Reports of deliveries.
final class DeliveryEvents: Sendable {
  private let state = Mutex<[MessageDelivery.Event]>([])

  var all: [MessageDelivery.Event] { state.withLock { $0 } }
  var outcomes: [MessageDelivery.Event.Outcome] { all.map(\.outcome) }

  func add(_ event: MessageDelivery.Event) { state.withLock { $0.append(event) } }
}

/// A delivery with what it sends and reports.
struct ObservedDelivery: Sendable {
  let sender = MessageMemory()
  let events = DeliveryEvents()
  let delivery: MessageDelivery

  init(_ service: UserPoolService) {
    delivery = MessageDelivery(service, sender: sender, onEvent: events.add)
  }
}

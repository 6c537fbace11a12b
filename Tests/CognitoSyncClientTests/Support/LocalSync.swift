@testable internal import CognitoIdentity
internal import CognitoSync
internal import CognitoSyncClient
internal import HTTPExchange
internal import Records
internal import ServiceOperations
internal import Synchronization
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityTesting

/// The service of data sets in this process, as the transport of its clients.
final class LocalSync: HTTPTransport {
  static let address = "http://127.0.0.1:9999"
  static let poolID = "us-east-1:11111111-1111-4111-8111-111111111111"
  static let roleARN = "arn:aws:iam::123456789012:role/push"
  private static let router = OperationRouter(dataSets)

  let store: any RecordStore
  let clock = SettableClock()
  private let state = Mutex(State())

  /// A call that is answered otherwise than the service would, once.
  private struct Plan: Sendable {
    let operation: String
    let kind: Kind
  }

  private enum Kind: Sendable {
    case refusal(type: String, message: String)
    case lostRequest
    case lostResponse
    case before(@Sendable () async -> Void)
    case after(@Sendable () async -> Void)
  }

  private struct State {
    var operations: [String] = []
    var scopes: Set<String> = []
    var plans: [Plan] = []
    var faults: FaultGenerator?
  }

  init() async throws {
    store = try MemoryRecordStore(tables: IdentityTables.all + SyncTables.all)
    let trust = """
      {"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"cognito-sync.amazonaws.com"},\
      "Action":"sts:AssumeRole","Condition":{"StringEquals":{"AWS:SourceAccount":"123456789012"},\
      "ArnLike":{"AWS:SourceArn":"arn:aws:cognito-identity:us-east-1:123456789012:identitypool/\(Self.poolID)"}}}]}
      """
    try await store.write { rows throws(IdentityError) in
      try rows.put(IdentityPool(id: Self.poolID, name: "tests", allowsGuests: true))
      try rows.put(StoredRole(arn: Self.roleARN, trustPolicy: trust))
    }
    let applications = ["APNS", "GCM"].map { "arn:aws:sns:us-east-1:123456789012:app/\($0)/tests" }
    try await store.write { rows throws(SyncError) in
      try rows.put(
        PushConfiguration(poolID: Self.poolID, applicationARNs: applications, roleARN: Self.roleARN))
    }
  }

  /// Makes an identity of the pool.
  func addIdentity(_ number: Int = 1) async throws -> String {
    let id = "us-east-1:22222222-2222-4222-8222-\(100_000_000_000 + number)"
    let now = clock.tick
    try await store.write { rows throws(IdentityError) in
      try rows.put(
        Identity(id: id, poolID: Self.poolID, created: now, modified: now, hasSignedIn: false))
    }
    return id
  }

  /// Merges an identity into another one.
  func merge(_ source: String, into destination: String) async throws {
    let now = clock.tick
    try await store.write { rows throws(IdentityError) in
      guard var from = try rows.identity(source), let into = try rows.identity(destination) else { return }
      from.mergedInto = destination
      from.modified = now
      try rows.put(from)
      try DatasetObserver().merged(from, into: into, rows)
    }
  }

  /// A device: its data sets over a store of its own.
  func client(
    _ identity: TestIdentity, store: any LocalDatasetStore = MemoryDatasetStore()
  ) throws -> SyncDatasets {
    SyncDatasets(
      identity: identity, endpoint: try SyncEndpoint(address: Self.address, region: "us-east-1"),
      transport: self, store: store, clock: { [clock] in clock.tick })
  }

  // MARK: What happens to calls

  /// The operations that clients have called since the last time, in their order.
  func takeOperations() -> [String] {
    state.withLock { state in
      defer { state.operations = [] }
      return state.operations
    }
  }

  /// The scopes of the signatures, without their dates.
  var scopes: Set<String> { state.withLock { $0.scopes } }

  /// Refuses the next call of an operation.
  func refuse(_ operation: String, _ type: String, _ message: String = "no") {
    plan(operation, .refusal(type: type, message: message))
  }

  /// Loses the next call of an operation.
  func loseRequest(of operation: String) { plan(operation, .lostRequest) }

  /// Carries out the next call of an operation, and loses the response.
  func loseResponse(of operation: String) { plan(operation, .lostResponse) }

  /// Does something before the next call of an operation.
  func before(_ operation: String, _ body: @escaping @Sendable () async -> Void) {
    plan(operation, .before(body))
  }

  /// Does something after the next call of an operation, before its response arrives.
  func after(_ operation: String, _ body: @escaping @Sendable () async -> Void) {
    plan(operation, .after(body))
  }

  /// Loses requests and responses at random; nil for none.
  func lose(_ faults: FaultGenerator?) { state.withLock { $0.faults = faults } }

  private func plan(_ operation: String, _ kind: Kind) {
    state.withLock { $0.plans.append(Plan(operation: operation, kind: kind)) }
  }

  // MARK: Calls

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let target = request.url.path + (request.url.query.map { "?\($0)" } ?? "")
    let route: OperationRoute
    do throws(OperationError) {
      let head = OperationRequestHead(method: request.method, target: target, headers: [])
      guard let found = try Self.router.route(head) else { throw .serialization(rule: "there is no route") }
      route = found
    } catch {
      throw .connection("\(error)")
    }
    let (kind, fault) = next(route.declaration.name.text, request)
    switch kind {
    case .refusal(let type, let message):
      let body: JSONObject = ["message": .string(message)]
      return TransportResponse(
        status: 400, headers: ["x-amzn-ErrorType": type], body: JSONWriter.write(body))
    case .before(let body): await body()
    case .lostRequest: throw .connection("the request was lost")
    default: break
    }
    if fault == .request { throw .connection("the request was lost") }
    let response = await perform(route, request.body)
    switch kind {
    case .after(let body): await body()
    case .lostResponse: throw .connection("the response was lost")
    default: break
    }
    if fault == .response { throw .timeout(.seconds(30)) }
    return TransportResponse(
      status: response.status, headers: TransportHeaders(response.headers), body: response.body)
  }

  private func next(_ operation: String, _ request: TransportRequest) -> (Kind?, FaultGenerator.Fault?) {
    state.withLock { state in
      state.operations.append(operation)
      let authorization = request.headers["Authorization"] ?? "none"
      let parts = authorization.parts(at: ",")[0].parts(at: "/").dropFirst(2)
      state.scopes.insert(parts.joined(separator: "/"))
      let fault = state.faults?.next()
      guard let index = state.plans.firstIndex(where: { $0.operation == operation }) else {
        return (nil, fault)
      }
      return (state.plans.remove(at: index).kind, fault)
    }
  }

  /// A service for this call alone: it starts again with each.
  private func perform(_ route: OperationRoute, _ body: [UInt8]) async -> EncodedResponse {
    let session = SessionTokens.Session(
      roleARN: Self.roleARN, name: "tests", identityID: route.label("IdentityId") ?? "",
      poolID: Self.poolID, tags: [:])
    let caller = IdentityPoolOperations.Caller.session(session)
    do throws(SyncError) {
      let master = SecretBytes([UInt8](repeating: 7, count: SyncSecrets.masterSize).span)
      let service = SyncService(
        store: store, secrets: try SyncSecrets(master: master), sender: TestSender())
      let context = IdentityPoolOperations.Context(caller: caller, at: clock.tick)
      let call = try await SyncOperations(service).call(route, body, in: context)
      return try await call.respond(context, requestID: "r").response
    } catch {
      return EncodedResponse(error, route.binding, requestID: "r")
    }
  }
}

/// Registers any device and sends nothing.
struct TestSender: PushSender {
  func register(_ device: PushRegistration) async throws(PushError) -> String { "endpoint" }
  func send(_ message: PushMessage) async throws(PushError) {}
  func remove(_ endpoint: PushEndpoint) async throws(PushError) {}
}

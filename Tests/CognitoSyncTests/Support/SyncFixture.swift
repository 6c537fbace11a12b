@testable internal import CognitoIdentity
internal import CognitoSync
internal import ServiceOperations
internal import SigningKeyTesting
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// A pool with an identity, whose data sets are called as requests name them.
struct SyncFixture: Sendable {
  let store: any RecordStore
  let identities: IdentityPoolService
  let service: SyncService
  let operations: SyncOperations
  let poolID: String
  let identityID: String

  static let now = Timestamp(seconds: 1_800_000_000)
  static let router = OperationRouter(dataSets)
  static let developer = IdentityPoolOperations.Caller.developer(
    accessKeyID: "AKIAEXAMPLE", scope: .everything)

  init(_ kind: SyncStore = .memory, limits: SyncLimits = SyncLimits()) async throws {
    store = try await kind.make()
    let master = [UInt8](repeating: 7, count: 32)
    identities = IdentityPoolService(
      store: store, sealing: try SealingKeys(master: SecretBytes(master.span)), logins: LoginVerifier(),
      observer: DatasetObserver(), keyMaker: .vectors())
    service = SyncService(
      store: store, secrets: try SyncSecrets(master: SecretBytes(master.span)),
      settings: .init(limits: limits))
    operations = SyncOperations(service)
    poolID = try await identities.createPool(named: "tests") { $0.allowsGuests = true }.id
    identityID = try await identities.resolveIdentity(poolID: poolID, at: Self.now)
    try await putRole()
  }

  static let role = "arn:aws:iam::123456789012:role/guest"

  /// Puts the role of sessions, with policies.
  func putRole(_ policies: [String: String] = [:]) async throws {
    let trust = """
      {"Version": "2012-10-17", "Statement": {"Effect": "Allow",
        "Principal": {"Federated": "cognito-identity.amazonaws.com"}, "Action": "sts:AssumeRoleWithWebIdentity",
        "Condition": {"StringEquals": {"cognito-identity.amazonaws.com:aud": "\(poolID)"}}}}
      """
    try await identities.putRole(
      StoredRole(
        arn: Self.role, trustPolicy: trust,
        policies: try policies.sorted { $0.key < $1.key }.map {
          try PermissionPolicy(name: $0.key, document: $0.value)
        }))
  }

  /// A data set of the identity.
  func name(_ name: String) -> DatasetName { self.name(name, of: identityID) }

  func name(_ name: String, of identityID: String) -> DatasetName {
    DatasetName {
      $0.poolID = poolID
      $0.identityID = identityID
      $0.name = name
    }
  }

  /// The caller with the identity's credentials.
  var session: IdentityPoolOperations.Caller { session(poolID, identityID) }

  func session(_ poolID: String, _ identityID: String) -> IdentityPoolOperations.Caller {
    .session(
      SessionTokens.Session(
        roleARN: Self.role, name: "session", identityID: identityID, poolID: poolID,
        tags: ["team": "blue"], methods: ["unauthenticated"]))
  }

  // MARK: Calls

  /// Calls an operation as a request does.
  func call<Operation: ServiceOperation>(
    _ operation: Operation.Type, by caller: IdentityPoolOperations.Caller? = nil,
    at now: Timestamp = Self.now,
    _ set: (inout Operation.Input) -> Void
  ) async throws -> Operation.Output {
    let request = operation.encode(Operation.Input(set), .rest)
    let head = OperationRequestHead(method: request.method, target: request.target, headers: request.headers)
    let route = try #require(try Self.router.route(head))
    let caller = caller ?? session
    let context = IdentityPoolOperations.Context(caller: caller, at: now, from: "203.0.113.7")
    let outcome = try await operations.call(route, request.body, in: context).respond(context, requestID: "r")
    return try operation.decodeOutput(.rest, outcome.response.body, limit: UpdateRecords.bodyLimit)
  }

  func list(
    _ name: String, after count: Int64? = nil, at now: Timestamp = Self.now
  ) async throws -> ListRecords.Output {
    try await call(ListRecords.self, at: now) {
      $0.dataset = self.name(name)
      $0.lastSyncCount = count
    }
  }

  /// Changes records, with a session of its own.
  @discardableResult
  func update(
    _ name: String, _ patches: [RecordPatch], deviceID: String? = nil, at now: Timestamp = Self.now
  ) async throws -> [SyncRecord] {
    let token = try #require(try await list(name, at: now).sessionToken)
    let output = try await call(UpdateRecords.self, at: now) {
      $0.dataset = self.name(name)
      $0.sessionToken = token
      $0.deviceID = deviceID
      $0.patches = patches
    }
    return try #require(output.records)
  }
}

extension RecordPatch {
  /// Sets a value.
  static func set(_ key: String, _ value: String, count: Int64 = 0) -> RecordPatch {
    RecordPatch {
      $0.key = key
      $0.value = value
      $0.syncCount = count
    }
  }

  /// Removes a record.
  static func remove(_ key: String, count: Int64) -> RecordPatch {
    RecordPatch {
      $0.change = .remove
      $0.key = key
      $0.syncCount = count
    }
  }
}

/// The error that `body` throws.
func refusal(_ body: () async throws -> Void) async throws -> SyncError {
  do {
    try await body()
  } catch let error as SyncError {
    return error
  }
  Issue.record("nothing is refused")
  return .nextTokenInvalid
}

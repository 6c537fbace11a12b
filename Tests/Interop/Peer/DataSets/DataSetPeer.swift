internal import AsyncHTTPTransport
internal import CognitoIdentityClient
internal import CognitoSyncClient
internal import ServiceOperations
internal import Synchronization
internal import TokenSecurityBase

/// Runs the client of data sets over HTTP: one JSON object per line in and out.
///
/// A device with an identity of a pool and a file of data sets.
struct DataSetPeer {
  /// Where the service and the file of data sets are.
  private struct Place {
    let poolID: String
    let identities: IdentityEndpoint
    let datasets: SyncEndpoint
    let store: SQLiteDatasetStore
  }

  private let transport = HTTPClientTransport()
  private var place: Place?
  private var provider: IdentityProvider?
  private var datasets: SyncDatasets?
  private var receiver: PushSyncReceiver?

  static func run() async {
    var peer = DataSetPeer()
    await Question.answerAll(refusal: {
      if case .refused(let type, _)? = $0 as? SyncClientError { type } else { nil }
    }) { question in try await peer.answer(question) }
  }

  private mutating func answer(_ question: Question) async throws -> JSONObject {
    func text(_ name: String) -> String { question.text(name) }
    switch text("op") {
    case "configure":
      place = Place(
        poolID: text("pool"),
        identities: try IdentityEndpoint(address: text("endpoint"), region: text("region")),
        datasets: try SyncEndpoint(address: text("endpoint"), region: text("region")),
        store: try SQLiteDatasetStore(path: text("file")))
      try open(nil)
      return [:]
    case "login":
      try open(BackendIdentity(identityID: text("identity"), token: text("token")))
      return [:]
    case "identity": return ["identity": .string(try await provider?.identityID() ?? "")]
    default:
      guard let datasets else { return ["error": "order"] }
      return try await ask(text("op"), question, datasets)
    }
  }

  /// Makes the data sets of a developer's user, or of no one whose identity is known.
  private mutating func open(_ backend: BackendIdentity?) throws {
    guard let place else { return }
    let made = try IdentityProvider(
      poolID: place.poolID, calls: IdentityCalls(endpoint: place.identities, transport: transport),
      logins: backend.map { $0 as any LoginsSource } ?? StaticLogins([:]),
      developer: backend.map { $0 as any DeveloperProvider })
    let sets = SyncDatasets(
      identity: made, endpoint: place.datasets, transport: transport, store: place.store)
    (provider, datasets, receiver) = (made, sets, PushSyncReceiver(sets))
  }

  private func ask(
    _ op: String, _ question: Question, _ datasets: SyncDatasets
  ) async throws -> JSONObject {
    func text(_ name: String) -> String { question.text(name) }
    switch op {
    case "register":
      let platform = PushPlatform(name: text("platform")) ?? .gcm
      return ["device": .string(try await datasets.registerDevice(platform, token: text("token")))]
    case "registered": return ["registered": .bool(try await datasets.isDeviceRegistered())]
    case "subscribe-all": return ["names": .strings(try await datasets.subscribeAll())]
    case "unsubscribe-all": return ["names": .strings(try await datasets.unsubscribeAll())]
    case "remote": return ["names": .strings(try await datasets.remoteDatasets().map(\.name))]
    case "local": return ["names": .strings(try await datasets.localDatasets().map(\.id.name))]
    case "message":
      let platform = PushPlatform(name: text("platform")) ?? .gcm
      let message = try PushSyncMessage(Array(text("payload").utf8), from: platform)
      guard let found = try await receiver?.dataset(for: message) else { return ["dataset": nil] }
      return ["dataset": .string(found.name)]
    default: return try await ask(op, question, try datasets.dataset(text("dataset")))
    }
  }

  private func ask(_ op: String, _ question: Question, _ dataset: Dataset) async throws -> JSONObject {
    switch op {
    case "put":
      var values: [String: String] = [:]
      for member in question.object["values"]?.object?.members ?? [] {
        values[member.name] = member.value.string
      }
      try await dataset.put(values)
      return [:]
    case "remove":
      try await dataset.remove(question.object["key"]?.string ?? "")
      return [:]
    case "delete":
      try await dataset.delete()
      return [:]
    case "subscribe":
      try await dataset.subscribe()
      return [:]
    case "read":
      var values = JSONObject()
      for record in try await dataset.records() { values[record.key] = record.value.map { .string($0) } }
      let local = try await dataset.local()
      return [
        "values": .object(values), "count": .number(JSONNumber(local?.lastSyncCount ?? -1)),
        "modified": .bool(try await dataset.isModified()),
      ]
    case "synchronize":
      let handler = Handler(
        resolution: question.object["resolution"]?.string,
        restores: question.object["restores"]?.bool ?? false)
      let updated = try await dataset.synchronize(handler)
      return [
        "updated": .strings(updated.map(\.key).sorted()), "conflicts": .strings(handler.seen.conflicts),
        "deletions": .strings(handler.seen.deletions), "merged": .strings(handler.seen.merged),
      ]
    default: return ["error": .string("there is no \(op)")]
    }
  }
}

/// Decides as the question says, and notes what it was asked.
private final class Handler: SyncHandler {
  struct Seen {
    var conflicts: [String] = []
    var deletions: [String] = []
    var merged: [String] = []
  }

  private let state = Mutex(Seen())
  private let resolution: String?
  private let restores: Bool

  init(resolution: String?, restores: Bool) {
    self.resolution = resolution
    self.restores = restores
  }

  var seen: Seen { state.withLock { $0 } }

  func onConflict(_ conflict: RecordConflict, in dataset: String) async -> ConflictResolution {
    state.withLock { $0.conflicts.append(conflict.key) }
    return switch resolution {
    case "local": .local
    case "remote": .remote
    case "stop": .stop
    case let value?: .value(value)
    case nil: conflict.latest
    }
  }

  func onDatasetDeleted(_ dataset: String) async -> DeletionResponse {
    state.withLock { $0.deletions.append(dataset) }
    return restores ? .restore : .purge
  }

  func onDatasetsMerged(_ names: [String], into dataset: String) async -> Bool {
    state.withLock { $0.merged = names }
    return true
  }
}

extension JSONValue {
  /// An array of texts.
  fileprivate static func strings(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}

import CognitoIdentity
import CognitoSync
import Foundation
import HTTPExchange
import JOSE
import RecordsSQLite
import ServiceOperations
import SigV4

/// Calls of data sets at the service, from the signed request to the response: over a file of SQLite, without a network.
/// Beside them what cannot be left out: verifying the signature, and a commit or a read of rows of the same size.
final class DatasetCalls {
  /// A request that was signed before it is measured.
  private struct Call {
    let head: RequestHead
    let request: EncodedRequest
  }

  private static let host = "cognito-sync.us-east-1.amazonaws.com"
  private static let value = String(repeating: "v", count: 100)
  private static let recordCount = 100
  private let time = Timestamp(since1970: .seconds(1_800_000_000))
  private let store: SQLiteRecordStore
  private let operations: SyncOperations
  private let router = OperationRouter(dataSets)
  private let caller = IdentityPoolOperations.Caller.developer(
    accessKeyID: "AKIDEXAMPLE", scope: .everything)
  private let credentials: Credentials
  private let signer: Signer
  private let verifier: RequestVerifier
  private let poolID, identityID: String

  init() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "data-sets-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    store = try SQLiteRecordStore(
      path: folder.appending(path: "identities.sqlite").path,
      tables: IdentityTables.all + SyncTables.all + [BareRow.records, BareRow.datasets])
    let master = try SecretBytes.random(count: SyncSecrets.masterSize)
    let pools = IdentityPoolService(
      store: store, sealing: try SealingKeys(master: master), logins: LoginVerifier(),
      observer: DatasetObserver())
    operations = SyncOperations(SyncService(store: store, secrets: try SyncSecrets(master: master)))
    credentials = try Credentials(
      accessKeyID: "AKIDEXAMPLE",
      secretAccessKey: SecretBytes(Array("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY".utf8).span))
    signer = try Signer(service: "cognito-sync", region: "us-east-1")
    verifier = try RequestVerifier(
      policy: VerifierPolicy(service: "cognito-sync", region: "us-east-1", hosts: .oneOf([Self.host])))
    poolID = try await pools.createPool(named: "speed") { $0.allowsGuests = true }.id
    identityID = try await pools.resolveIdentity(poolID: poolID)
  }

  // MARK: Contenders

  /// A change of one record, of `count` in all.
  func updates(_ count: Int) async throws -> [Contender] {
    let token = try await makeRecords("changes")
    let calls = try (1...count).map { number in try update("changes", token, "k0", Int64(number)) }
    var (next, bare) = (0, Int64(0))
    return [
      Contender(name: "UpdateRecords: a commit of two rows, and the signature, alone") { [self] count in
        for _ in 0..<count {
          bare += 1
          let call = calls[Int(bare - 1)]
          guard try isSigned(call) else { return false }
          try await BareRow.change(to: bare, in: store)
        }
        return true
      },
      Contender(name: "UpdateRecords of one record") { [self] count in
        for _ in 0..<count {
          guard try await answer(calls[next]).status == 200 else { return false }
          next += 1
        }
        return true
      },
    ]
  }

  /// A page of 100 records.
  func lists() async throws -> [Contender] {
    try await makeRecords("list")
    try await BareRow.fill(Self.recordCount, in: store)
    let call = try signed(
      ListRecords.self,
      ListRecords.Input {
        $0.dataset = dataset("list")
        $0.lastSyncCount = 0
      })
    return [
      Contender(name: "ListRecords: a read of 100 rows, and the signature, alone") { [self] count in
        for _ in 0..<count {
          guard try isSigned(call), try await BareRow.count(in: store) == Self.recordCount else {
            return false
          }
        }
        return true
      },
      Contender(name: "ListRecords of 100 records") { [self] count in
        for _ in 0..<count {
          let response = try await answer(call)
          guard response.status == 200, response.body.count > 10_000 else { return false }
        }
        return true
      },
    ]
  }

  // MARK: Calls

  /// Makes a data set of 100 records. Returns the token of a synchronisation.
  @discardableResult
  private func makeRecords(_ name: String) async throws -> String {
    let page = try signed(ListRecords.self, ListRecords.Input { $0.dataset = dataset(name) })
    let listed = try JSONValue(parsing: try await answer(page).body).object
    guard let token = listed?["SyncSessionToken"]?.string else { fatalError("there is no session") }
    let made = try signed(
      UpdateRecords.self,
      UpdateRecords.Input {
        $0.dataset = dataset(name)
        $0.sessionToken = token
        $0.patches = (0..<Self.recordCount).map { number in
          RecordPatch {
            $0.key = "k\(number)"
            $0.value = Self.value
          }
        }
      })
    guard try await answer(made).status == 200 else { fatalError("the records are refused") }
    return token
  }

  private func update(_ name: String, _ token: String, _ key: String, _ count: Int64) throws -> Call {
    try signed(
      UpdateRecords.self,
      UpdateRecords.Input {
        $0.dataset = dataset(name)
        $0.sessionToken = token
        $0.patches = [
          RecordPatch {
            $0.key = key
            $0.value = Self.value
            $0.syncCount = count
          }
        ]
      })
  }

  private func dataset(_ name: String) -> DatasetName {
    DatasetName {
      $0.poolID = poolID
      $0.identityID = identityID
      $0.name = name
    }
  }

  private func signed<Operation: ServiceOperation>(
    _ operation: Operation.Type, _ input: Operation.Input
  ) throws -> Call {
    let client = OperationClient(dataSets, at: "https://\(Self.host)", NoAnswers())
    let request = client.request(operation, input)
    return Call(
      head: try SignedCall.head(request, host: Self.host, signer, credentials, at: time), request: request)
  }

  private func isSigned(_ call: Call) throws -> Bool {
    _ = try verifier.verify(
      verifier.parse(call.head, at: time), key: .credentials(credentials), body: call.request.body)
    return true
  }

  /// Processing of a request by the service after the request was read.
  private func answer(_ call: Call) async throws -> EncodedResponse {
    guard try isSigned(call),
      let route = try router.route(
        OperationRequestHead(
          method: call.request.method, target: call.request.target, headers: call.request.headers))
    else { fatalError("the request is refused") }
    let context = IdentityPoolOperations.Context(caller: caller, at: time)
    return try await operations.call(route, call.request.body, in: context)
      .respond(context, requestID: "1").response
  }

  private struct NoAnswers: HTTPTransport {
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      TransportResponse(status: 500, body: [])
    }
  }
}

/// Rows of the size of records and data sets, without rules.
struct BareRow: Sendable {
  let key: String
  let count: Int64
  let text: String

  static let byCount = Index<BareRow>("count") { [RecordKey("bare", $0.count)] }
  static let records = Table<BareRow>(
    "bench_record", key: { RecordKey("bare", $0.key) }, indexes: [byCount], encoding: encoding)
  static let datasets = Table<BareRow>(
    "bench_dataset", key: { RecordKey("pool", "identity", $0.key) }, encoding: encoding)
  private static let encoding = RowEncoding<BareRow>.json(
    write: { row, _ in
      ["key": .string(row.key), "count": .string("\(row.count)"), "text": .string(row.text)]
    },
    read: { row, _ in
      guard let key = row["key"]?.string, let count = row["count"]?.string.flatMap({ Int64($0) }),
        let text = row["text"]?.string
      else { return nil }
      return BareRow(key: key, count: count, text: text)
    })
  private static let text = String(repeating: "v", count: 250)

  /// One transaction that changes a record and its data set.
  static func change(to count: Int64, in store: SQLiteRecordStore) async throws {
    try await store.write { rows throws(RecordStoreError) in
      _ = try rows.get(records, RecordKey("bare", "k0"))
      _ = try rows.get(datasets, RecordKey("pool", "identity", "settings"))
      try rows.put(BareRow(key: "k0", count: count, text: text), in: records)
      try rows.put(BareRow(key: "settings", count: count, text: text), in: datasets)
    }
  }

  static func fill(_ count: Int, in store: SQLiteRecordStore) async throws {
    try await store.write { rows throws(RecordStoreError) in
      for number in 0..<count {
        try rows.put(BareRow(key: "k\(number)", count: 1, text: text), in: records)
      }
    }
  }

  static func count(in store: SQLiteRecordStore) async throws -> Int {
    try await store.read(at: .now, .fresh) { rows throws(RecordStoreError) in
      try rows.scan(records, by: byCount, limit: 1_025).count
    }
  }
}

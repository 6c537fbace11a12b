import CognitoSyncClient
import JOSE
import ServiceOperations
import SigV4
import Synchronization

/// The client of data sets: a synchronisation that sends one change, and reading a push message. The service answers at
/// once, in the same process.
struct Synchronisations {
  private static let region = "us-east-1"
  private static let pool = "us-east-1:0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53"
  private static let identity = "us-east-1:6e2a0d1c-7f5b-4c39-9a84-2f6be1d07c53"
  private static let address = "https://cognito-sync.us-east-1.amazonaws.com"
  private static let host = "cognito-sync.us-east-1.amazonaws.com"

  func contenders() async throws -> [Contender] {
    let answers = Answers()
    let client = OperationClient(dataSets, at: Self.address, Answers())
    let signer = try Signer(service: "cognito-sync", region: Self.region)
    let credentials = try Credentials(
      accessKeyID: "ASIAIOSFODNN7EXAMPLE", secretAccessKey: SecretBytes(Array("secret".utf8).span),
      sessionToken: Answers.token)
    func call<Operation: ServiceOperation>(
      _ operation: Operation.Type, _ input: Operation.Input
    ) async throws -> Operation.Output {
      var request = client.request(operation, input)
      request.headers = try SignedCall.head(request, host: Self.host, signer, credentials, at: .now)
        .headers.map { (name: $0.name, value: String(decoding: $0.value, as: UTF8.self)) }
      return try await client.send(request, for: operation)
    }
    let name = DatasetName {
      $0.poolID = Self.pool
      $0.identityID = Self.identity
      $0.name = "settings"
    }
    let datasets = SyncDatasets(
      identity: try IdentityProvider(
        poolID: Self.pool,
        calls: IdentityCalls(endpoint: try IdentityEndpoint(region: Self.region), transport: answers)),
      endpoint: try SyncEndpoint(region: Self.region), transport: answers)
    let settings = try datasets.dataset("settings")
    var value = 0
    return [
      Contender(name: "synchronise: its two calls alone, signed, sent and read") { count in
        for _ in 0..<count {
          let page = try await call(
            ListRecords.self,
            ListRecords.Input {
              $0.dataset = name
              $0.lastSyncCount = 7
            })
          guard let session = page.sessionToken else { return false }
          let updated = try await call(
            UpdateRecords.self,
            UpdateRecords.Input {
              $0.dataset = name
              $0.sessionToken = session
              $0.patches = [
                RecordPatch {
                  $0.key = "theme"
                  $0.value = "dark"
                  $0.syncCount = 7
                  $0.deviceModified = .now
                }
              ]
            })
          guard updated.records?.count == 1 else { return false }
        }
        return true
      },
      Contender(name: "synchronise: a change on the device, and its synchronisation") { count in
        for _ in 0..<count {
          value += 1
          try await settings.put("dark \(value)", for: "theme")
          try await settings.synchronize()
        }
        return try await !settings.isModified()
      },
    ]
  }

  /// A message as Apple's platform delivers it.
  static func messages() -> [Contender] {
    let payload = Array(
      """
      {"aps":{"content-available":1},"data":{"source":"cognito-sync","identityPoolId":"\(pool)",\
      "identityId":"\(identity)","datasetName":"settings","syncCount":"42"}}
      """.utf8)
    return [
      Contender(name: "a push message: its JSON alone") { count in
        for _ in 0..<count {
          guard try JSONValue(parsing: payload).object?["data"] != nil else { return false }
        }
        return true
      },
      Contender(name: "a push message, read and checked") { count in
        for _ in 0..<count {
          guard try PushSyncMessage(payload, from: .apns).syncCount == 42 else { return false }
        }
        return true
      },
    ]
  }

  /// Identity pools and data sets. Each change raises the count by one.
  private final class Answers: HTTPTransport {
    static let token = String(repeating: "t", count: 600)
    private let count = Mutex<Int64>(0)

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      TransportResponse(status: 200, body: Array(text(request).utf8))
    }

    private func text(_ request: TransportRequest) -> String {
      if let target = request.headers["X-Amz-Target"] {
        guard target.hasSuffix("GetCredentialsForIdentity") else {
          return #"{"IdentityId":"\#(Synchronisations.identity)"}"#
        }
        return
          #"{"IdentityId":"\#(Synchronisations.identity)","Credentials":{"AccessKeyId":"ASIAIOSFODNN7EXAMPLE","#
          + #""SecretKey":"secret","SessionToken":"\#(Self.token)","Expiration":4102444800}}"#
      }
      guard request.method == "POST" else {
        let count = count.withLock { $0 }
        return
          #"{"Records":[],"Count":0,"DatasetSyncCount":\#(count),"DatasetExists":true,"MergedDatasetNames":[],"#
          + #""DatasetDeletedAfterRequestedSyncCount":false,"SyncSessionToken":"\#(Self.token)"}"#
      }
      let count = count.withLock { count in
        count += 1
        return count
      }
      return
        #"{"Records":[{"Key":"theme","Value":"dark","SyncCount":\#(count),"LastModifiedDate":1800000000,"#
        + #""DeviceLastModifiedDate":1800000000,"LastModifiedBy":"\#(Synchronisations.identity)"}]}"#
    }
  }
}

/// The signature of a call of a service of REST.
enum SignedCall {
  static func head(
    _ request: EncodedRequest, host: String, _ signer: Signer, _ credentials: Credentials,
    at time: Timestamp
  ) throws -> RequestHead {
    let target = request.target.split(separator: "?", maxSplits: 1)
    let head = RequestHead(
      method: request.method, path: Array(target[0].utf8),
      query: target.count > 1 ? Array(target[1].utf8) : [],
      headers: [HeaderField("Host", host)] + request.headers.map { HeaderField($0.name, $0.value) })
    return try signer.sign(head, body: .bytes(request.body), with: credentials, at: time).head
  }
}

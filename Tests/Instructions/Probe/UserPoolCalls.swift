internal import CognitoUserPool
internal import Records
internal import ServiceOperations
internal import SigningKeyTesting
internal import TokenSecurityCrypto

/// Calls of a service's operations, without a network.
struct UserPoolCalls: Sendable {
  let service: UserPoolService
  let secrets: UserPoolSecrets
  private let operations: UserPoolOperations
  private let router = OperationRouter(userPools)

  /// Over a store. Default: one in memory.
  init(over store: (any RecordStore)? = nil) throws {
    secrets = try UserPoolSecrets(
      master: SecretBytes([UInt8](repeating: 7, count: UserPoolSecrets.masterSize).span))
    // Keys that were made before, as spares are.
    service = UserPoolService(
      store: try store ?? MemoryRecordStore(tables: UserPoolTables.all), secrets: secrets,
      keyMaker: .vectors())
    operations = UserPoolOperations(service)
  }

  func body(_ operation: String, _ body: [UInt8]) async throws -> [UInt8] {
    let target = (name: "X-Amz-Target", value: "AWSCognitoIdentityProviderService.\(operation)")
    let head = OperationRequestHead(method: "POST", target: "/", headers: [target])
    guard let route = try router.route(head) else { throw ProbeError("\(operation) is unknown") }
    let call = try operations.call(route, body, isSigned: true)
    return try await call.respond(CallContext(at: SampleSignIn.now), requestID: "x").response.body
  }

  @discardableResult
  func call(_ operation: String, body: [UInt8]) async throws -> JSONObject {
    try JSONValue(parsing: await self.body(operation, body)).object ?? JSONObject()
  }

  @discardableResult
  func call(_ operation: String, _ members: JSONObject) async throws -> JSONObject {
    try await call(operation, body: JSONWriter.write(members))
  }
}

internal import CognitoSRP
internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import SecureRemotePassword
internal import Synchronization

/// A user pool's server on top of the library.
final class PoolPeer: Sendable {
  private final class User: Sendable {
    let record: CognitoUserRecord
    init(_ record: consuming CognitoUserRecord) { self.record = record }
  }

  private final class Device: Sendable {
    let verifier: CognitoVerifier
    init(_ verifier: consuming CognitoVerifier) { self.verifier = verifier }
  }

  private let users = Mutex<[String: User]>([:])
  private let devices = Mutex<[String: Device]>([:])
  private let server: CognitoSignInServer
  private static let groupKey = "-AbCdEfGh"
  private static let poolID = "eu-west-1_AbCdEfGhI"

  init() throws {
    server = try CognitoSignInServer(
      userPoolID: Self.poolID,
      simulatedUsers: CognitoSimulatedUsers(key: SecretBytes.random(count: 32), identity: .uuid),
      secretBlocks: SealedSecretBlocks(key: SecretBytes.random(count: 32), replayGuard: CognitoReplayCache()))
  }

  private func client(_ question: Question) throws -> CognitoAppClient {
    question.text("client_secret").isEmpty
      ? try CognitoAppClient(id: question.text("client"))
      : try CognitoAppClient(id: question.text("client"), secret: question.secret("client_secret"))
  }

  func answer(_ question: Question) async throws -> JSONObject {
    let now = Timestamp(seconds: question.integer("now"))
    switch question.text("op") {
    case "pool_user":
      let id = question.text("id")
      let identity = try CognitoSRPIdentity.user(userPoolID: Self.poolID, userIDForSRP: id)
      let record = CognitoUserRecord(
        username: id, userIDForSRP: id,
        verifier: try CognitoVerifier(identity: identity, password: question.secret("password")))
      let user = User(record)
      users.withLock { $0[question.text("name")] = user }
      return [:]
    case "pool_device":
      let device = Device(
        try CognitoVerifier(
          deviceSalt: question.text("salt"), passwordVerifier: question.text("verifier")))
      devices.withLock { $0[question.text("key")] = device }
      return [:]
    case "pool_initiate":
      let request = try CognitoAuthRequest(json: Array(question.text("body").utf8))
      let user = users.withLock { $0[request.parameters["USERNAME"] ?? ""] }
      let challenge = try await server.challenge(
        request, client: client(question), user: Self.copy(user), key: CognitoServerKey(), at: now)
      return ["body": .string(String(decoding: challenge.json, as: UTF8.self))]
    default: return try await respond(question, at: now)
    }
  }

  private func respond(_ question: Question, at now: Timestamp) async throws -> JSONObject {
    let response = try CognitoChallengeResponse(json: Array(question.text("body").utf8))
    let client = try client(question)
    let username = question.text("username")
    switch response.name {
    case "DEVICE_SRP_AUTH":
      guard let device = devices.withLock({ $0[response.responses["DEVICE_KEY"] ?? ""] }) else {
        return [
          "error": .string("device_unknown"), "exception": .string("ResourceNotFoundException"),
          "message": .string("Device does not exist."),
        ]
      }
      let challenge = try await server.deviceChallenge(
        response, client: client, username: username, groupKey: Self.groupKey, verifier: device.verifier,
        key: CognitoServerKey(), at: now)
      return ["body": .string(String(decoding: challenge.json, as: UTF8.self))]
    case "DEVICE_PASSWORD_VERIFIER":
      let proven = try await server.verifyDevice(
        response, client: client, username: username, groupKey: Self.groupKey, at: now)
      return ["user": .string(proven.username), "device": proven.deviceKey.map(JSONValue.string) ?? .null]
    default:
      let proven = try await server.verify(response, client: client, at: now)
      return ["user": .string(proven.username)]
    }
  }

  private static func copy(_ user: User?) throws -> CognitoUserRecord? {
    guard let user else { return nil }
    let verifier = try CognitoVerifier(
      salt: user.record.verifier.salt, value: user.record.verifier.value)
    return CognitoUserRecord(
      username: user.record.username, userIDForSRP: user.record.userIDForSRP, verifier: verifier)
  }
}

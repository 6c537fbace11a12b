internal import SecureRemotePassword
internal import Synchronization
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// A user pool's server on top of the library's functions. A secret block is the random name of a stored challenge.
final class PoolPeer: Sendable {
  private final class Stored: Sendable {
    let record: CognitoSRPRecord
    init(_ record: consuming CognitoSRPRecord) { self.record = record }

    func copy() throws(SRPError) -> CognitoSRPRecord {
      CognitoSRPRecord(
        identity: record.identity,
        verifier: try CognitoVerifier(salt: record.verifier.salt, value: record.verifier.value))
    }
  }

  private let users = Mutex<[String: Stored]>([:])
  private let devices = Mutex<[String: Stored]>([:])
  private let open = Mutex<[[UInt8]: RetainedSecret]>([:])
  private let simulatedUsers: CognitoSimulatedUsers
  private static let groupKey = "-AbCdEfGh"
  private static let poolID = "eu-west-1_AbCdEfGhI"

  init() throws {
    simulatedUsers = try CognitoSimulatedUsers(key: SecretBytes.random(count: 32), identity: .uuid)
  }

  private func client(_ question: Question) throws -> CognitoAppClient {
    question.text("client_secret").isEmpty
      ? try CognitoAppClient(id: question.text("client"))
      : try CognitoAppClient(id: question.text("client"), secret: question.secret("client_secret"))
  }

  func answer(_ question: Question) throws -> JSONObject {
    switch question.text("op") {
    case "pool_user":
      let identity = try CognitoSRPIdentity.user(
        userPoolID: Self.poolID, userIDForSRP: question.text("id"))
      let user = Stored(
        CognitoSRPRecord(
          identity: identity,
          verifier: try CognitoVerifier(identity: identity, password: question.secret("password"))))
      users.withLock { $0[question.text("name")] = user }
      return [:]
    case "pool_device":
      let key = question.text("key")
      let device = Stored(
        CognitoSRPRecord(
          identity: try .device(groupKey: Self.groupKey, deviceKey: key),
          verifier: try CognitoVerifier(
            deviceSalt: question.text("salt"), passwordVerifier: question.text("verifier"))))
      devices.withLock { $0[key] = device }
      return [:]
    case "pool_initiate": return try initiate(question)
    default: return try respond(question)
    }
  }

  private func initiate(_ question: Question) throws -> JSONObject {
    let client = try client(question)
    let parameters = try Self.texts(JSONValue(parsing: question.text("body")).object?["AuthParameters"])
    let name = parameters["USERNAME"] ?? ""
    try client.check(secretHash: parameters["SECRET_HASH"], username: name)
    let user = users.withLock { $0[name] }
    let record = try simulatedUsers.record(
      of: user?.copy(), userPoolID: Self.poolID, canonicalUsername: name)
    let id = record.identity.name
    return try challenge(
      "PASSWORD_VERIFIER", parameters, record, client, username: id,
      ["USER_ID_FOR_SRP": .string(id), "USERNAME": .string(id)])
  }

  private func challenge(
    _ name: String, _ parameters: CognitoParameters, _ record: borrowing CognitoSRPRecord,
    _ client: CognitoAppClient, username: String, _ shown: JSONObject
  ) throws -> JSONObject {
    let made = try CognitoSRPServer.challenge(
      publicKey: CognitoNumber.publicKey(hexadecimal: parameters["SRP_A"] ?? ""), record: record,
      key: CognitoServerKey(), context: [name, Self.poolID, client.id, username])
    let block = try Random.publicBytes(count: 16)
    let pending = RetainedSecret(made.pending.bytes())
    open.withLock { $0[block] = pending }
    var members = shown
    members["SALT"] = .string(CognitoNumber.hexadecimal(record.verifier.salt))
    members["SRP_B"] = .string(CognitoNumber.hexadecimal(made.publicKey))
    members["SECRET_BLOCK"] = .string(Base64.string(block))
    let body: JSONValue = ["ChallengeName": .string(name), "ChallengeParameters": .object(members)]
    return ["body": .string(body.description)]
  }

  private func respond(_ question: Question) throws -> JSONObject {
    let client = try client(question)
    let body = try JSONValue(parsing: question.text("body")).object ?? [:]
    let responses = try Self.texts(body["ChallengeResponses"])
    let name = body["ChallengeName"]?.string ?? ""
    let username = question.text("username")
    try client.check(secretHash: responses["SECRET_HASH"], username: responses["USERNAME"] ?? "")
    let deviceKey = responses["DEVICE_KEY"] ?? ""
    switch name {
    case "DEVICE_SRP_AUTH":
      guard let device = devices.withLock({ $0[deviceKey] }) else {
        return [
          "error": .string("device_unknown"), "exception": .string("ResourceNotFoundException"),
          "message": .string("Device does not exist."),
        ]
      }
      return try challenge(
        "DEVICE_PASSWORD_VERIFIER", responses, device.record, client, username: username,
        ["DEVICE_KEY": .string(deviceKey), "USERNAME": .string(username)])
    case "DEVICE_PASSWORD_VERIFIER":
      try verify(
        responses, .device(groupKey: Self.groupKey, deviceKey: deviceKey),
        context: [name, Self.poolID, client.id, username], question)
      return ["user": .string(username), "device": .string(deviceKey)]
    default:
      let user = responses["USERNAME"] ?? ""
      try verify(
        responses, .user(userPoolID: Self.poolID, userIDForSRP: user),
        context: [name, Self.poolID, client.id, user], question)
      return ["user": .string(user)]
    }
  }

  /// Verifies a proof, and uses its secret block up.
  private func verify(
    _ responses: CognitoParameters, _ identity: CognitoSRPIdentity, context: [String], _ question: Question
  ) throws {
    let block = (try? Base64.decode(responses["PASSWORD_CLAIM_SECRET_BLOCK"] ?? "")) ?? []
    let claim = try CognitoPasswordClaim(
      signature: (try? Base64.decode(responses["PASSWORD_CLAIM_SIGNATURE"] ?? "")) ?? [], secretBlock: block,
      timestamp: responses["TIMESTAMP"] ?? "")
    guard let pending = open.withLock({ $0.removeValue(forKey: block) }) else {
      throw SRPError.secretBlockInvalid
    }
    try CognitoSRPServer.verify(
      claim, pending: CognitoPendingChallenge(pending.bytes), identity: identity, context: context,
      at: Timestamp(seconds: question.integer("now")))
  }

  private static func texts(_ value: JSONValue?) throws -> CognitoParameters {
    CognitoParameters((value?.object?.members ?? []).map { (key: $0.name, value: $0.value.string ?? "") })
  }
}

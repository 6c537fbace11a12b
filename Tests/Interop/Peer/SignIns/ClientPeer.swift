internal import SecureRemotePassword
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// A user pool's client, one step per line.
struct ClientPeer: ~Copyable {
  private var signIn: CognitoPasswordSignIn?
  private var deviceSignIn: CognitoDeviceSignIn?

  mutating func answer(_ question: Question) throws -> JSONObject {
    let stamp = Timestamp(seconds: question.integer("now"))
    switch question.text("op") {
    case "client_begin":
      let deviceKey = question.object["device_key"]?.string
      let signIn = try CognitoPasswordSignIn(
        userPoolID: question.text("pool"), client: client(question), username: question.text("username"),
        deviceKey: deviceKey)
      let body = signIn.request.json
      self.signIn = consume signIn
      return ["body": .string(String(decoding: body, as: UTF8.self))]
    case "client_respond":
      guard let signIn = signIn.take() else { return ["error": .string("order")] }
      let response = try signIn.respond(
        to: CognitoChallenge(json: Array(question.text("body").utf8)), password: question.secret("password"),
        at: stamp)
      return ["body": .string(String(decoding: response.json, as: UTF8.self))]
    case "client_confirm":
      let confirmation = try CognitoDeviceConfirmation(
        groupKey: question.text("group_key"), deviceKey: question.text("device_key"))
      return [
        "password": confirmation.device.password.json, "salt": .string(confirmation.salt),
        "verifier": .string(confirmation.passwordVerifier),
      ]
    case "client_device":
      let device = try CognitoRememberedDevice(
        groupKey: question.text("group_key"), key: question.text("device_key"),
        password: question.secret("password"))
      let signIn = try CognitoDeviceSignIn(
        device: device, client: client(question), username: question.text("username"))
      let response = try signIn.begin(CognitoChallenge(json: Array(question.text("body").utf8)))
      deviceSignIn = consume signIn
      return ["body": .string(String(decoding: response.json, as: UTF8.self))]
    default:
      guard let signIn = deviceSignIn.take() else { return ["error": .string("order")] }
      let response = try signIn.respond(
        to: CognitoChallenge(json: Array(question.text("body").utf8)), at: stamp)
      return ["body": .string(String(decoding: response.json, as: UTF8.self))]
    }
  }

  private func client(_ question: Question) throws -> CognitoAppClient {
    question.text("client_secret").isEmpty
      ? try CognitoAppClient(id: question.text("client"))
      : try CognitoAppClient(id: question.text("client"), secret: question.secret("client_secret"))
  }
}

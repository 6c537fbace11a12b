import CognitoUserPool
import Foundation
import JOSE
import SecureRemotePassword

/// Whether the time of user pools' operations shows which users exist, or how much of a proof is right. The client
/// hides which users exist, and the names are of one length.
extension Timing {
  private static let names = ("known-user", "other-user")

  static func userPools() async throws {
    try await choices(TimedPool())
    try await passwords(TimedPool())
    try await proofs(TimedPool())
    try await codes(TimedPool(#","AutoVerifiedAttributes":["email"]"#))
    try await codesAsFirstFactors(
      TimedPool(
        #","AutoVerifiedAttributes":["email"],"Policies":{"SignInPolicy":{"AllowedFirstAuthFactors":["#
          + #""PASSWORD","EMAIL_OTP"]}}"#))
    try await aliases(TimedPool(#","AutoVerifiedAttributes":["email"],"AliasAttributes":["email"]"#))
  }

  /// A call for a user who exists and for one who does not. All answers must be alike.
  private static func users(
    _ what: String, _ pool: TimedPool, _ count: Int, _ operation: String, other: String = names.1,
    _ body: (String) -> String
  ) async throws {
    let bodies = (body(names.0), body(other))
    var seen: Set<Int> = []
    try await compare("user pool: \(what)", "user known", "user unknown", count) { isFirst in
      try await pool.pass()
      let (response, time) = try await pool.call(operation, isFirst ? bodies.0 : bodies.1)
      seen.insert(response.status << 16 | response.body.count / 8)
      return time
    }
    if seen.count > 2 { print("\(what): the answers differ") }
  }

  private static func publicKey() throws -> String {
    let begun = try CognitoPasswordSignIn(
      userPoolID: SignIns.poolID, client: CognitoAppClient(id: "c"), username: "u")
    return begun.request.parameters["SRP_A"] ?? ""
  }

  private static func choices(_ pool: TimedPool) async throws {
    try await pool.add(names.0, email: "known@example.com")
    let key = try publicKey()
    func body(_ flow: String, _ more: String) -> (String) -> String {
      {
        #"{"ClientId":"\#(pool.client)","AuthFlow":"\#(flow)","AuthParameters":{"USERNAME":"\#($0)"\#(more)}}"#
      }
    }
    try await users(
      "USER_SRP_AUTH, challenge", pool, 4_000, "InitiateAuth", body("USER_SRP_AUTH", #","SRP_A":"\#(key)""#))
    try await users(
      "USER_AUTH, PASSWORD_SRP", pool, 4_000, "InitiateAuth",
      body("USER_AUTH", #","PREFERRED_CHALLENGE":"PASSWORD_SRP","SRP_A":"\#(key)""#))
    try await users("USER_AUTH, SELECT_CHALLENGE", pool, 4_000, "InitiateAuth", body("USER_AUTH", ""))
  }

  private static func passwords(_ pool: TimedPool) async throws {
    try await pool.add(names.0, email: "known@example.com")
    let wrong = #","PASSWORD":"Wrong-horse-9""#
    for (flow, more) in [("USER_PASSWORD_AUTH", ""), ("USER_AUTH", #","PREFERRED_CHALLENGE":"PASSWORD""#)] {
      try await users("\(flow), wrong password", pool, 4_000, "InitiateAuth") {
        #"{"ClientId":"\#(pool.client)","AuthFlow":"\#(flow)","AuthParameters":{"USERNAME":"\#($0)"\#(wrong + more)}}"#
      }
    }
    try await users("ADMIN_USER_PASSWORD_AUTH, wrong password", pool, 4_000, "AdminInitiateAuth") {
      #"{"UserPoolId":"\#(pool.id)","ClientId":"\#(pool.client)","AuthFlow":"ADMIN_USER_PASSWORD_AUTH","#
        + #""AuthParameters":{"USERNAME":"\#($0)"\#(wrong)}}"#
    }
  }

  /// Wrong answers to challenges, each to a challenge of its own.
  private static func proofs(_ pool: TimedPool) async throws {
    try await pool.add(names.0, email: "known@example.com")
    let app = try CognitoAppClient(id: pool.client)
    func respond(_ name: String, _ place: Int?) async throws -> Double {
      try await pool.pass()
      let begun = try CognitoPasswordSignIn(userPoolID: pool.id, client: app, username: name)
      let request = String(decoding: begun.request.json, as: UTF8.self)
      let first = try await pool.call("InitiateAuth", request).response
      let challenge = try CognitoChallenge(json: first.body)
      // The right password, so that all bytes but one are right; for the comparison of users a wrong one.
      let password = SecretBytes(Array((place == nil ? "Wrong-horse-9" : TimedPool.password).utf8).span)
      var response = try begun.respond(to: challenge, password: password, at: pool.time)
      if let place, let text = response.responses["PASSWORD_CLAIM_SIGNATURE"],
        var proof = Data(base64Encoded: text)
      {
        proof[place] ^= 1
        response.responses["PASSWORD_CLAIM_SIGNATURE"] = proof.base64EncodedString()
      }
      let answer = try await pool.call(
        "RespondToAuthChallenge", String(decoding: response.json, as: UTF8.self))
      guard answer.response.status == 400 else { fatalError("a wrong proof was taken") }
      return answer.time
    }
    try await compare("user pool: USER_SRP_AUTH, wrong password", "user known", "user unknown", 4_000) {
      try await respond($0 ? names.0 : names.1, nil)
    }
    try await compare("user pool: USER_SRP_AUTH, wrong proof", "first byte wrong", "last byte wrong", 4_000) {
      try await respond(names.0, $0 ? 0 : 31)
    }
  }

  private static func codes(_ pool: TimedPool) async throws {
    try await pool.signUp(names.0, email: "known@example.com")
    func body(_ more: String) -> (String) -> String {
      { #"{"ClientId":"\#(pool.client)","Username":"\#($0)"\#(more)}"# }
    }
    try await users("ResendConfirmationCode", pool, 4_000, "ResendConfirmationCode", body(""))
    try await users(
      "ConfirmSignUp, wrong code", pool, 4_000, "ConfirmSignUp", body(#","ConfirmationCode":"000000""#))
    let recovered = try await TimedPool(#","AutoVerifiedAttributes":["email"]"#)
    try await recovered.add(names.0, email: "known@example.com")
    func named(_ more: String) -> (String) -> String {
      { #"{"ClientId":"\#(recovered.client)","Username":"\#($0)"\#(more)}"# }
    }
    try await users(
      "ResendConfirmationCode, user confirmed", recovered, 4_000, "ResendConfirmationCode", named(""))
    try await users("ForgotPassword", recovered, 4_000, "ForgotPassword", named(""))
    try await users(
      "ConfirmForgotPassword, wrong code", recovered, 4_000, "ConfirmForgotPassword",
      named(#","ConfirmationCode":"000000","Password":"Other-horse-9""#))
  }

  /// Codes by e-mail as the first factor, for a user and for an unknown name that is offered them too.
  private static func codesAsFirstFactors(_ pool: TimedPool) async throws {
    try await pool.add(names.0, email: "known@example.com")
    func begin(_ name: String) -> String {
      #"{"ClientId":"\#(pool.client)","AuthFlow":"USER_AUTH","AuthParameters":{"USERNAME":"\#(name)","#
        + #""PREFERRED_CHALLENGE":"EMAIL_OTP"}}"#
    }
    var offered: String?
    for number in 10..<100 where offered == nil {
      let name = "other-us\(number)"
      let challenge = try await pool.answer("InitiateAuth", begin(name))["ChallengeName"]
      if challenge?.string == "EMAIL_OTP" { offered = name }
    }
    guard let other = offered else { fatalError("no unknown name is offered a code") }
    try await users("USER_AUTH, EMAIL_OTP", pool, 4_000, "InitiateAuth", other: other, begin)
    try await compare("user pool: EMAIL_OTP, wrong code", "user known", "user unknown", 4_000) { isFirst in
      try await pool.pass()
      let name = isFirst ? names.0 : other
      let session = try await pool.answer("InitiateAuth", begin(name))["Session"]?.string ?? ""
      let (response, time) = try await pool.call(
        "RespondToAuthChallenge",
        #"{"ClientId":"\#(pool.client)","ChallengeName":"EMAIL_OTP","Session":"\#(session)","#
          + #""ChallengeResponses":{"USERNAME":"\#(name)","EMAIL_OTP_CODE":"00000000"}}"#)
      guard response.status == 400 else { fatalError("a wrong code was taken") }
      return time
    }
  }

  /// A sign-up with the address of another user, which shows at ConfirmSignUp alone.
  private static func aliases(_ pool: TimedPool) async throws {
    try await pool.add(names.0, email: "known@example.com")
    var number = 1_000_000
    try await compare("user pool: SignUp, e-mail an alias", "alias taken", "alias free", 3_000) { isFirst in
      try await pool.pass()
      number += 1
      let address = isFirst ? "known@example.com" : "other@example.com"
      let (response, time) = try await pool.call("SignUp", pool.signingUp("user-\(number)", address))
      guard response.status == 200 else { fatalError(String(decoding: response.body, as: UTF8.self)) }
      return time
    }
  }
}

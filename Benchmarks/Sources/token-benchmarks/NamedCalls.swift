import CognitoUserPool
import Foundation
import SecureRemotePassword

/// Kinds of names by which the users of a pool sign in, and the members of CreateUserPool for each.
enum TimedNames: String, CaseIterable {
  case names = "user names"
  case emails = "e-mail as name"
  case phones = "phone as name"
  case aliasEmails = "alias e-mail"
  case aliasPhones = "alias phone"
  case preferredNames = "preferred_username, any case"

  var settings: String {
    let all =
      #","AutoVerifiedAttributes":["email"],"AccountRecoverySetting":{"RecoveryMechanisms":["#
      + #"{"Name":"verified_email","Priority":1}]},"Policies":{"SignInPolicy":{"AllowedFirstAuthFactors":["#
      + #""PASSWORD","EMAIL_OTP"]}}"#
    return switch self {
    case .names: all
    case .emails: all + #","UsernameAttributes":["email"]"#
    case .phones: all + #","UsernameAttributes":["phone_number"]"#
    case .aliasEmails: all + #","AliasAttributes":["email"]"#
    case .aliasPhones: all + #","AliasAttributes":["phone_number"]"#
    case .preferredNames:
      all + #","AliasAttributes":["preferred_username"],"UsernameConfiguration":{"CaseSensitive":false}"#
    }
  }

  /// A person whose names are of one length, and drawn alike for users and for others.
  struct Person {
    let userName, email, phone, preferred, id: String

    init() {
      let letters = String(decoding: (0..<9).map { _ in UInt8.random(in: 0x61...0x7A) }, as: UTF8.self)
      userName = "u" + letters
      email = letters + "@example.com"
      id = UUID().uuidString.lowercased()
      phone = "+1" + (0..<10).map { _ in String(Int.random(in: 1...9)) }.joined()
      preferred = "Nick" + letters
    }
  }

  /// The person's input in the sign-in form.
  func typed(_ person: Person) -> String {
    switch self {
    case .names: person.userName
    case .emails, .aliasEmails: person.email
    case .phones, .aliasPhones: person.phone
    case .preferredNames: person.preferred.uppercased()
    }
  }

  /// The user name and the attributes with which an administrator makes a user.
  func user(_ person: Person) -> (name: String, attributes: [(String, String)]) {
    var attributes = [
      ("email", person.email), ("email_verified", "true"), ("phone_number", person.phone),
      ("phone_number_verified", "true"),
    ]
    if self == .preferredNames { attributes.append(("preferred_username", person.preferred)) }
    let name =
      switch self {
      case .emails: person.email
      case .phones: person.phone
      case .names: person.userName
      // Answers show the user name. For unknown addresses it has the form of an id, for others that of the name.
      case .aliasEmails, .aliasPhones: person.id
      case .preferredNames: "user" + person.userName.dropFirst()
      }
    return (name, attributes)
  }
}

/// The calls by which anyone asks for a user by name, with wrong secrets.
enum TimedCall: String, CaseIterable {
  case selectChallenge = "USER_AUTH, SELECT_CHALLENGE"
  case chosenCode = "USER_AUTH, EMAIL_OTP"
  case otherSession = "SELECT_CHALLENGE, the name of another session"
  case bareDevice = "DEVICE_SRP_AUTH without a session"
  case confirmSignUp = "ConfirmSignUp"
  case resend = "ResendConfirmationCode"
  case forgot = "ForgotPassword"
  case confirmForgot = "ConfirmForgotPassword"
  case passwordSRP = "USER_AUTH, PASSWORD_SRP"
  case chosenPassword = "USER_AUTH, wrong password"
  case srp = "USER_SRP_AUTH"
  case password = "USER_PASSWORD_AUTH, wrong password"
  case proof = "PASSWORD_VERIFIER, wrong password"

  /// True for calls that compute a power.
  var hasPower: Bool {
    switch self {
    case .passwordSRP, .chosenPassword, .srp, .password, .proof: true
    default: false
    }
  }

  /// The calls of one name. A call that needs another one first makes it without being measured.
  func time(_ name: String, _ pool: TimedPool, _ own: String, _ key: String) async throws -> (
    Double, EncodedAnswer
  ) {
    let wrong = #""PASSWORD":"Wrong-horse-9""#
    func begin(_ flow: String, _ more: String = "") async throws -> (Double, EncodedAnswer) {
      try await send(
        "InitiateAuth",
        #""AuthFlow":"\#(flow)","AuthParameters":{"USERNAME":"\#(name)"\#(more)}"#)
    }
    func send(_ operation: String, _ members: String) async throws -> (Double, EncodedAnswer) {
      let (response, time) = try await pool.call(operation, #"{"ClientId":"\#(pool.client)",\#(members)}"#)
      return (time, EncodedAnswer(status: response.status, body: response.body))
    }
    switch self {
    case .selectChallenge: return try await begin("USER_AUTH")
    case .chosenCode: return try await begin("USER_AUTH", #","PREFERRED_CHALLENGE":"EMAIL_OTP""#)
    case .passwordSRP:
      return try await begin("USER_AUTH", #","PREFERRED_CHALLENGE":"PASSWORD_SRP","SRP_A":"\#(key)""#)
    case .chosenPassword: return try await begin("USER_AUTH", #","PREFERRED_CHALLENGE":"PASSWORD",\#(wrong)"#)
    case .srp: return try await begin("USER_SRP_AUTH", #","SRP_A":"\#(key)""#)
    case .password: return try await begin("USER_PASSWORD_AUTH", ",\(wrong)")
    case .otherSession:
      let begun = try await pool.answer(
        "InitiateAuth",
        #"{"ClientId":"\#(pool.client)","AuthFlow":"USER_AUTH","AuthParameters":{"USERNAME":"\#(own)"}}"#)
      return try await send(
        "RespondToAuthChallenge",
        #""ChallengeName":"SELECT_CHALLENGE","Session":"\#(begun["Session"]?.string ?? "")","#
          + #""ChallengeResponses":{"USERNAME":"\#(name)","ANSWER":"PASSWORD",\#(wrong)}"#)
    case .bareDevice:
      return try await send(
        "RespondToAuthChallenge",
        #""ChallengeName":"DEVICE_SRP_AUTH","ChallengeResponses":{"USERNAME":"\#(name)","SRP_A":"\#(key)","#
          + #""DEVICE_KEY":"us-east-1_00000000-0000-4000-8000-000000000000"}"#)
    case .proof:
      let app = try CognitoAppClient(id: pool.client)
      let begun = try CognitoPasswordSignIn(userPoolID: pool.id, client: app, username: name)
      let first = try await pool.call("InitiateAuth", String(decoding: begun.request.json, as: UTF8.self))
        .response
      let response = try begun.respond(
        to: CognitoChallenge(json: first.body), password: SecretBytes(Array("Wrong-horse-9".utf8).span),
        at: pool.time)
      let (answer, time) = try await pool.call(
        "RespondToAuthChallenge", String(decoding: response.json, as: UTF8.self))
      return (time, EncodedAnswer(status: answer.status, body: answer.body))
    case .resend, .forgot:
      return try await send(
        self == .resend ? "ResendConfirmationCode" : "ForgotPassword", #""Username":"\#(name)""#)
    case .confirmSignUp:
      return try await send("ConfirmSignUp", #""Username":"\#(name)","ConfirmationCode":"000000""#)
    case .confirmForgot:
      return try await send(
        "ConfirmForgotPassword",
        #""Username":"\#(name)","ConfirmationCode":"000000","Password":"Other-horse-9""#)
    }
  }
}

/// The properties of an answer that are visible at a glance.
struct EncodedAnswer: Hashable {
  let status: Int
  let size: Int

  init(status: Int, body: [UInt8]) {
    self.status = status
    // Names and masks differ by some bytes.
    size = body.count / 64
  }
}

internal import OneTimeCodes
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// One-time codes.
enum CodePeer {
  static func answer(_ question: Question) throws -> JSONObject {
    switch question.text("op") {
    case "totp":
      let totp = try totp(question)
      let time = Timestamp(seconds: question.integer("time"))
      return [
        "code": .string(try totp.code(at: time)),
        "left": .number(JSONNumber(try totp.timeLeft(at: time).wholeSeconds)),
      ]
    case "totp-verify":
      let window = Int(question.integer("window"))
      let match = try totp(question).verify(
        question.text("code"), at: Timestamp(seconds: question.integer("time")),
        window: TOTP.Window(past: window, future: window))
      return [
        "step": .number(JSONNumber(Int64(match.step))), "drift": .number(JSONNumber(Int64(match.drift))),
      ]
    case "hotp":
      let hotp = try HOTP(
        secret: secret(question), algorithm: algorithm(question), digits: Int(question.integer("digits")))
      return ["code": .string(try hotp.code(counter: UInt64(question.integer("counter"))))]
    case "read-uri":
      let uri = try OTPAuthURI(question.secret("uri"))
      return [
        "issuer": uri.issuer.map(JSONValue.string) ?? .null, "account": .string(uri.account),
        "secret": uri.secret.bytes.hex, "algorithm": .string(uri.algorithm.name),
        "digits": .number(JSONNumber(uri.digits)), "kind": .string("\(uri.kind)"),
      ]
    default:
      let counter = question.object["counter"]?.number?.int64
      let uri = try OTPAuthURI(
        issuer: question.object["issuer"]?.string, account: question.text("account"),
        secret: secret(question),
        kind: counter.map { .hotp(counter: UInt64($0)) }
          ?? .totp(period: .seconds(question.integer("period"))),
        algorithm: algorithm(question), digits: Int(question.integer("digits")))
      return ["uri": uri.text().json]
    }
  }

  private static func algorithm(_ question: Question) -> OTPAlgorithm {
    OTPAlgorithm(name: question.text("algorithm")) ?? .sha1
  }

  private static func secret(_ question: Question) throws -> OTPSecret {
    if let text = question.object["base32"]?.string {
      return try OTPSecret(base32: SecretBytes(Array(text.utf8).span))
    }
    return try OTPSecret(question.hexSecret("secret"))
  }

  private static func totp(_ question: Question) throws -> TOTP {
    try TOTP(
      secret: secret(question), algorithm: algorithm(question), digits: Int(question.integer("digits")),
      period: .seconds(question.integer("period")), epoch: Timestamp(seconds: question.integer("epoch")))
  }
}

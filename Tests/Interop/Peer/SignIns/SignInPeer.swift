internal import OneTimeCodes
internal import SecureRemotePassword
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Both sides of sign-ins, and one-time codes, for the interoperability tests: one JSON object per line in
/// and out.
///
///     {"op": "srp_…", …}       → the steps of SRP-6a, as client and as server
///     {"op": "pool_…", …}      → a user pool's server: users, devices, challenges, answers
///     {"op": "client_…", …}    → a user pool's client
///     {"op": "totp", …}        → codes and their verification, URIs
enum SignInPeer {
  static func run() async throws {
    var exchange = ExchangePeer()
    var client = ClientPeer()
    let pool = try PoolPeer()
    await Question.answerAll { question in
      do {
        switch question.text("op").split(separator: "_").first {
        case "srp": return try exchange.answer(question)
        case "client": return try client.answer(question)
        case "pool": return try pool.answer(question)
        default: return try CodePeer.answer(question)
        }
      } catch let error as SRPError {
        return [
          "error": .string(error.codeText), "exception": .string(error.response.exception),
          "message": .string(error.response.rawValue),
        ]
      } catch let error as OTPError {
        return ["error": .string(error.codeText)]
      }
    }
  }
}

extension Question {
  /// A number, or 0.
  func integer(_ name: String) -> Int64 { number(name) ?? 0 }

  /// Bytes in hexadecimal digits.
  func hexBytes(_ name: String) throws -> [UInt8] { try Hex.decode(text(name)) }

  /// A secret in hexadecimal digits.
  func hexSecret(_ name: String) throws -> SecretBytes {
    let bytes = try hexBytes(name)
    return SecretBytes(bytes.span)
  }
}

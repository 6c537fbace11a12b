internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import Foundation
internal import OneTimeCodes
internal import SecureRemotePassword

/// Both sides of sign-ins, and one-time codes, for the interoperability tests: one JSON object per line in
/// and out.
///
///     {"op": "srp_…", …}       → the steps of SRP-6a, as client and as server
///     {"op": "pool_…", …}      → a user pool's server: users, devices, challenges, answers
///     {"op": "client_…", …}    → a user pool's client
///     {"op": "totp", …}        → codes and their verification, URIs
@main
struct SignInPeer {
  static func main() async throws {
    var exchange = ExchangePeer()
    var client = ClientPeer()
    let pool = try PoolPeer()
    while let line = readLine() {
      guard let object = try JSONValue(parsing: line).object else { continue }
      let question = Question(object: object)
      var answer = JSONObject()
      do {
        switch question.text("op").split(separator: "_").first {
        case "srp": answer = try exchange.answer(question)
        case "client": answer = try client.answer(question)
        case "pool": answer = try await pool.answer(question)
        default: answer = try CodePeer.answer(question)
        }
      } catch let error as SRPError {
        answer["error"] = .string(error.codeText)
        answer["exception"] = .string(error.response.exception)
        answer["message"] = .string(error.response.rawValue)
      } catch let error as OTPError {
        answer["error"] = .string(error.codeText)
      }
      print(JSONValue.object(answer))
      fflush(nil)
    }
  }
}

/// One line.
struct Question {
  let object: JSONObject

  func text(_ name: String) -> String { object[name]?.string ?? "" }
  func flag(_ name: String) -> Bool { object[name]?.bool ?? false }
  func number(_ name: String) -> Int64 { object[name]?.number?.int64 ?? 0 }
  func bytes(_ name: String) throws -> [UInt8] { try Hex.decode(text(name)) }
  func secret(_ name: String) -> SecretBytes { SecretBytes(text(name).utf8.span) }

  func secretBytes(_ name: String) throws -> SecretBytes {
    let bytes = try bytes(name)
    return SecretBytes(bytes.span)
  }
}

func hex(_ secret: borrowing SecretBytes) -> JSONValue {
  .string(
    Hex.string(secret.withBytes { (bytes: borrowing Span<UInt8>) -> [UInt8] in [UInt8](unwipedCopy: bytes) }))
}

func text(_ secret: borrowing SecretBytes) -> JSONValue {
  .string(
    String(
      decoding: secret.withBytes { (bytes: borrowing Span<UInt8>) -> [UInt8] in [UInt8](unwipedCopy: bytes) },
      as: UTF8.self))
}

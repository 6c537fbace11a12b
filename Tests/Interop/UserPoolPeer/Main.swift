internal import AsyncHTTPTransport
internal import CognitoUserPoolClient
internal import Glibc
internal import TokenSecurityEncodings

/// Runs the client of user pools over HTTP: one JSON object per line in and out.
@main
struct Main {
  static func main() async {
    var peer = Peer()
    while let line = readLine() {
      let question = Question(object: (try? JSONDocument(Array(line.utf8)))?.object() ?? JSONObject())
      var answer: JSONObject
      do {
        answer = try await peer.answer(question)
      } catch {
        answer = ["error": .string("\(error)")]
        if let fault = error as? UserPoolClientError { answer["code"] = .string(fault.codeText) }
        if case .refused(let type, _)? = error as? UserPoolClientError { answer["type"] = .string(type) }
      }
      print(String(decoding: JSONWriter.write(answer), as: UTF8.self))
      fflush(nil)
    }
  }
}

/// Parts of the program that each have operations of their own.
struct Peer {
  private let transport = HTTPClientTransport()
  private var client: UserPoolClient?

  mutating func answer(_ question: Question) async throws -> JSONObject {
    if question.text("op") == "configure" {
      let pool = try question.pool()
      client = UserPoolClient(pool: pool, transport: transport)
      return ["issuer": .string(pool.issuer), "region": .string(pool.region)]
    }
    guard let client else { return ["error": "order"] }
    if let answer = try await client.answer(question) { return answer }
    return ["error": "unknown"]
  }
}

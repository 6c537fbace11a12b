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
struct Peer: ~Copyable {
  private let transport = HTTPClientTransport()
  private var sessions: UserPoolSessions?
  private var signIn = SignInPeer()
  private var identities: IdentityPeer?

  mutating func answer(_ question: Question) async throws -> JSONObject {
    if question.text("op") == "configure" {
      sessions = nil
      identities = nil
      let client = UserPoolClient(pool: try question.pool(), transport: transport)
      let store: any SessionStore =
        question.object["store"]?.string.map { FileSessionStore(path: $0) } ?? MemorySessionStore()
      sessions = try UserPoolSessions(
        client: client, store: store, margin: .seconds(question.object["margin"]?.int64 ?? 120),
        refreshesByInitiateAuth: question.flag("older") ?? false)
      return ["issuer": .string(client.pool.issuer), "region": .string(client.pool.region)]
    }
    guard let sessions else { return ["error": "order"] }
    switch question.text("op") {
    case "sign_in": return try await signIn.begin(sessions, question)
    case "answer": return try await signIn.answer(question, sessions)
    case "identity_pool":
      identities = try await IdentityPeer(question.text("id"), sessions, transport)
      return [:]
    default: break
    }
    if let answer = try await identities?.answer(question) { return answer }
    if let answer = try await sessions.answer(question) { return answer }
    if let answer = try await sessions.client.answer(question) { return answer }
    return ["error": "unknown"]
  }
}

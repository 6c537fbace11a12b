internal import AsyncHTTPTransport
internal import CognitoUserPoolClient
internal import TokenSecurityBase

/// Runs the client of user pools over HTTP: one JSON object per line in and out.
///
/// Its parts each have operations of their own.
struct UserPoolPeer: ~Copyable {
  private let transport = HTTPClientTransport()
  private var sessions: UserPoolSessions?
  private var signIn = SteppedSignIn()
  private var identities: CurrentUserIdentity?

  static func run() async {
    var peer = UserPoolPeer()
    await Question.answerAll(refusal: {
      if case .refused(let type, _)? = $0 as? UserPoolClientError { type } else { nil }
    }) { question in try await peer.answer(question) }
  }

  private mutating func answer(_ question: Question) async throws -> JSONObject {
    if question.text("op") == "configure" {
      sessions = nil
      identities = nil
      let client = UserPoolClient(pool: try question.pool(), transport: transport)
      let store: any SessionStore =
        question.object["store"]?.string.map { FileSessionStore(path: $0) } ?? MemorySessionStore()
      sessions = try UserPoolSessions(
        client: client, store: store, margin: .seconds(question.number("margin") ?? 120),
        refreshesByInitiateAuth: question.flag("older") ?? false)
      return ["issuer": .string(client.pool.issuer), "region": .string(client.pool.region)]
    }
    guard let sessions else { return ["error": "order"] }
    switch question.text("op") {
    case "sign_in": return try await signIn.begin(sessions, question)
    case "answer": return try await signIn.answer(question, sessions)
    case "identity_pool":
      identities = try await CurrentUserIdentity(question.text("id"), sessions, transport)
      return [:]
    default: break
    }
    if let answer = try await identities?.answer(question) { return answer }
    if let answer = try await sessions.answer(question) { return answer }
    if let answer = try await sessions.client.answer(question) { return answer }
    return ["error": "unknown"]
  }
}

internal import CognitoUserPoolClient
internal import TokenSecurityBase

extension UserPoolSessions {
  /// Answers the questions about sessions; nil for any other.
  func answer(_ question: Question) async throws -> JSONObject? {
    let name = question.object["username"]?.string
    let now = question.object["now"]?.int64.map { Timestamp(seconds: $0) } ?? .now
    switch question.text("op") {
    case "tokens":
      let count = question.object["callers"]?.int64 ?? 1
      let sessions = self
      let found = try await withThrowingTaskGroup(of: UserPoolTokens.self) { group in
        for _ in 0..<count { group.addTask { try await sessions.tokens(of: name, at: now) } }
        return try await group.reduce(into: [UserPoolTokens]()) { $0.append($1) }
      }
      return [
        "username": found.first.map { .string($0.username) } ?? .null,
        "access": .array(Set(found.map { ExactString($0.accessToken) }).map { .string($0.text) }),
        "id": found.first.map { .string($0.idToken) } ?? .null,
      ]
    case "names":
      return [
        "current": currentUsername.map { .string($0) } ?? .null,
        "last": lastUsername.map { .string($0) } ?? .null,
      ]
    case "make_current": try await makeCurrent(question.text("username"))
    case "sign_out": try await signOut(name)
    case "sign_out_everywhere": try await signOutEverywhere(name, at: now)
    case "forget_user": try await forgetUser(question.text("username"))
    case "device_key":
      return ["key": try deviceKey(of: question.text("username")).map { .string($0) } ?? .null]
    default: return nil
    }
    return [:]
  }
}

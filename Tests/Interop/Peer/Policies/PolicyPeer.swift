internal import AccessPolicies
internal import Glibc
internal import TokenSecurityBase

/// Decides requests by access policies.
///
/// Each line is `{"policies": {"identity": [DOCUMENT…], "resource": …, "boundary": …, "session": …}, "request": {"principal": {"AWS": ARN},
/// "account", "resourceAccount", "action", "resource", "context": {KEY: [VALUE…]}}}`, and its answer `{"decision": OUTCOME}` with the
/// code of the reason, or `{"error": CODE}`.
enum PolicyPeer {
  static func run() {
    while let line = readLine() {
      var answer: JSONObject
      do {
        answer = try decide(
          JSONValue(parsing: Array(line.utf8), limits: JSONLimits(size: 16 << 20, depth: 64)))
      } catch let error as any CodedError {
        answer = ["error": .string(error.codeText), "message": .string("\(error)")]
      } catch {
        answer = ["error": "question_malformed", "message": .string("\(error)")]
      }
      print(String(decoding: JSONWriter.write(answer), as: UTF8.self))
      fflush(nil)
    }
  }

  struct Malformed: Error {}

  private static func decide(_ line: JSONValue) throws -> JSONObject {
    guard let line = line.object, let request = line["request"]?.object else { throw Malformed() }
    let policies = line["policies"]?.object ?? JSONObject()
    func read(_ name: String, _ kind: AccessPolicyKind) throws -> [AccessPolicy] {
      try (policies[name]?.array ?? []).enumerated().map { index, document in
        try AccessPolicy(json: document.description, name: "\(name)-\(index + 1)", kind: kind)
      }
    }
    let set = PolicySet(
      identity: try read("identity", .identity), resource: try read("resource", .resource),
      boundary: try read("boundary", .identity), session: try read("session", .identity))
    var context = AccessContext()
    for member in request["context"]?.object?.members ?? [] {
      context[member.name] = member.value.string.map { [$0] } ?? member.value.strings ?? []
    }
    let decision = set.decide(
      AccessRequest(
        principal: try principal(request["principal"], account: request["account"]?.string),
        action: request["action"]?.string ?? "", resource: request["resource"]?.string ?? "",
        resourceAccount: request["resourceAccount"]?.string, context: context))
    return ["decision": .string(decision.outcome.rawValue), "code": .string(decision.reason.rawValue)]
  }

  private static func principal(_ value: JSONValue?, account: String?) throws -> AccessPrincipal {
    guard let member = value?.object?.members.first else { return .anonymous }
    guard let kind = AccessPrincipal.Kind(name: member.name), let name = member.value.string else {
      throw Malformed()
    }
    return kind == .aws ? .aws(name, account: account) : .other(kind, name)
  }
}

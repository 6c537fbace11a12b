internal import AccessPolicies
internal import ServiceOperations

/// The policies of a session. Each document is read once for all sessions that have it.
final class SessionPolicies: Sendable {
  let set: PolicySet
  /// The name of a policy that this version does not load: it may deny.
  let unreadable: String?
  /// As long as a session has them, others share them.
  private let shared: [SharedPolicy]

  private init(_ own: [SharedPolicy], _ limits: [SharedPolicy]) {
    shared = own + limits
    unreadable = shared.first { $0.loaded == nil }?.name
    set = PolicySet(identity: own.compactMap(\.loaded), session: limits.compactMap(\.loaded))
  }

  /// Those of an answer, which are the same object for all sessions that have the same ones.
  static func shared(_ output: GetScopedSigningKey.Output, _ parts: SharedParts) -> SessionPolicies {
    let texts = (output.policies + output.sessionPolicies).flatMap { [$0.name, $0.document] }
    return parts.sets.value(of: ["\(output.policies.count)"] + texts) {
      func policies(_ documents: [SessionPolicyDocument]) -> [SharedPolicy] {
        documents.map { document in
          parts.policies.value(of: [document.name, document.document]) { SharedPolicy(document) }
        }
      }
      return SessionPolicies(policies(output.policies), policies(output.sessionPolicies))
    }
  }
}

/// A policy that sessions share.
final class SharedPolicy: Sendable {
  let name: String
  /// Nil for one that this version does not load.
  let loaded: AccessPolicy?

  init(_ document: SessionPolicyDocument) {
    name = document.name
    loaded = try? AccessPolicy(json: document.document, name: document.name, kind: .identity)
  }
}

internal import AccessPolicies
internal import ServiceOperations
internal import Synchronization
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The policies of a session. Each document is read once for all sessions that have it.
final class SessionPolicies: Sendable {
  let set: PolicySet
  /// The name of a policy that this version does not load: it may deny.
  let unreadable: String?
  /// As long as a session has them, others share them.
  private let shared: [SharedPolicy]

  init(_ output: GetScopedSigningKey.Output, sharing known: SharedPolicies) {
    let own = output.policies.map { known.policy($0) }
    let limits = output.sessionPolicies.map { known.policy($0) }
    shared = own + limits
    unreadable = shared.first { $0.loaded == nil }?.name
    set = PolicySet(identity: own.compactMap(\.loaded), session: limits.compactMap(\.loaded))
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

/// Policies by the digest of name and document, as long as a session has them.
final class SharedPolicies: Sendable {
  private struct Reference: Sendable {
    weak let policy: SharedPolicy?
  }

  private struct State {
    var known: [DigestKey: Reference] = [:]
    /// The number of entries after which those without a session are removed.
    var limit = 64
  }

  private let state = Mutex(State())

  func policy(_ document: SessionPolicyDocument) -> SharedPolicy {
    let text = Array("\(document.name)\n\(document.document)".utf8)
    guard let digest = try? DigestAlgorithm.sha256(of: text.span) else { return SharedPolicy(document) }
    let name = DigestKey(digest)
    if let policy = state.withLock({ $0.known[name]?.policy }) { return policy }
    // Read outside of the lock, which others need.
    let policy = SharedPolicy(document)
    state.withLock { state in
      if state.known.count >= state.limit {
        state.known = state.known.filter { $0.value.policy != nil }
        state.limit = max(64, 2 * state.known.count)
      }
      state.known[name] = Reference(policy: policy)
    }
    return policy
  }
}

internal import Synchronization
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// One value for equal texts, as long as something has it.
final class SharedValues<Value: AnyObject & Sendable>: Sendable {
  private struct Reference: Sendable {
    weak let value: Value?
  }

  private struct State {
    var known: [DigestKey: Reference] = [:]
    /// The number of entries after which those without a value are removed.
    var limit = 64
  }

  private let state = Mutex(State())

  /// The number of values, with some that nothing has any more.
  var count: Int { state.withLock { $0.known.count } }

  /// The value of some texts. It is made outside of the lock, which others need.
  func value(of texts: [String], make: () -> Value) -> Value {
    // With the sizes, so that other texts are other bytes.
    let bytes = texts.flatMap { Array("\($0.utf8.count) \($0)".utf8) }
    guard let digest = try? DigestAlgorithm.sha256(of: bytes.span) else { return make() }
    let name = DigestKey(digest)
    if let value = state.withLock({ $0.known[name]?.value }) { return value }
    let made = make()
    return state.withLock { state in
      if let other = state.known[name]?.value { return other }
      if state.known.count >= state.limit {
        state.known = state.known.filter { $0.value.value != nil }
        state.limit = max(64, 2 * state.known.count)
      }
      state.known[name] = Reference(value: made)
      return made
    }
  }
}

/// Values that sessions share. Most sessions of a role differ by the user alone.
final class SharedParts: Sendable {
  let policies = SharedValues<SharedPolicy>()
  let sets = SharedValues<SessionPolicies>()
  let contents = SharedValues<FirstContent>()
}

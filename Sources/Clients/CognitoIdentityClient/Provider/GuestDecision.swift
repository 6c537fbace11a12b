/// The decision whether a guest's identity is replaced by that of a developer's user.
enum GuestDecision {
  /// The provider that this task, or the one that started it, decides for.
  @TaskLocal static var provider: ObjectIdentifier?
}

extension IdentityProvider {
  /// Whether the application gives the cached identity up.
  func replacesGuest(_ change: IdentityChange) async -> Bool {
    let decide = shouldReplaceGuest
    state.decisions += 1
    defer { state.decisions -= 1 }
    return await GuestDecision.$provider.withValue(ObjectIdentifier(self)) { await decide(change) }
  }

  /// Refuses a call by a decision in progress, which the call would wait for.
  ///
  /// - Throws: `configurationInvalid`.
  func checkNotDeciding() throws(IdentityClientError) {
    guard state.decisions == 0 || GuestDecision.provider != ObjectIdentifier(self) else {
      throw .configurationInvalid(rule: "shouldReplaceGuest requests credentials of its own provider")
    }
  }
}

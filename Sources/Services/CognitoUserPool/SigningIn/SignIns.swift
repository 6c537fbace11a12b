internal import Records

/// Sign-ins of users: their beginning, and the answers to challenges until tokens are issued.
package struct SignIns: Sendable {
  let store: any RecordStore
  let secrets: UserPoolSecrets
  let strangers: StrangersCounts
  let hooks: HookRunner
  let threads: ComputationThreads
  let passwords: PasswordChecks
  let messages: UserMessages
  let migratedUsers: MigratedUsers
  let sessions: Sessions
  /// Bounds the checks of a user's passwords that run at a time, by the user or the unknown name.
  ///
  /// A wrong password is counted before its check leaves the gate. While the power of a right one is computed,
  /// therefore, at most as many others are checked and not counted yet as run at a time.
  let checks = KeyedGate<[UInt8]>(running: 8, waiting: 64)

  /// The client and the pool of a call, which is read once.
  ///
  /// - Throws: `poolUnknown`, `clientUnknown`.
  nonisolated(nonsending) func client(
    _ id: String, of poolID: String?, _ context: CallContext
  ) async throws(UserPoolError) -> (client: UserPoolClient, pool: UserPool) {
    try await store.read(at: context.time) { rows throws(UserPoolError) in
      guard let poolID else {
        let found = try rows.existingClient(id)
        context.subject.isPool(found.pool.id)
        return found
      }
      let pool = try rows.existingPool(poolID, naming: context.subject)
      return (try rows.existingClient(id, of: pool), pool)
    }
  }
}

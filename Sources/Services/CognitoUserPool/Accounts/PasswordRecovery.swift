internal import Records

/// New passwords instead of forgotten ones, by codes.
package struct PasswordRecovery: Sendable {
  let store: any RecordStore
  let calls: NamedCalls
  let hooks: HookRunner
  let passwords: PasswordChecks
  let messages: UserMessages
  let migratedUsers: MigratedUsers
}

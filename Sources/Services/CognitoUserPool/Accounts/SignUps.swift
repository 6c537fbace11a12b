internal import Records

/// Sign-ups of users, and their confirmation by codes.
package struct SignUps: Sendable {
  let store: any RecordStore
  let secrets: UserPoolSecrets
  let calls: NamedCalls
  let hooks: HookRunner
  let passwords: PasswordChecks
  let messages: UserMessages
}

internal import Records

/// Sign-ins and their tokens: they are issued, refreshed and revoked.
package struct Sessions: Sendable {
  let store: any RecordStore
  let secrets: UserPoolSecrets
  let hooks: HookRunner
  let keyRings: PoolKeyRings
  let issuers: PoolIssuers
  let callers: Callers
}

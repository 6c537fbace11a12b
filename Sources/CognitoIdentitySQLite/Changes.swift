internal import CognitoIdentity
internal import Foundation
internal import GRDB

/// The writes of a transaction.
extension Rows {
  func put(_ pool: IdentityPool) throws(IdentityError) {
    // REPLACE would delete the row first, and all identities with it.
    try execute(
      "INSERT INTO pool (id, document) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET document = excluded.document",
      [pool.id, Data(try pool.checkedDocument())])
  }

  func removePool(_ id: String) throws(IdentityError) { try execute("DELETE FROM pool WHERE id = ?", [id]) }

  func put(_ identity: Identity) throws(IdentityError) {
    try identity.check()
    try execute(
      """
      INSERT INTO identity (id, pool, created, modified, signed_in, merged_into) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET modified = excluded.modified, signed_in = excluded.signed_in,
        merged_into = excluded.merged_into
      """,
      [
        identity.id, identity.poolID, identity.created.seconds, identity.modified.seconds,
        identity.hasSignedIn,
        identity.mergedInto,
      ])
  }

  func removeIdentity(_ id: String) throws(IdentityError) {
    try execute("DELETE FROM identity WHERE id = ?", [id])
  }

  func put(_ login: LinkedLogin) throws(IdentityError) {
    try login.check()
    try execute(
      """
      INSERT INTO login (pool, kind, provider, user, identity, linked) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (pool, kind, provider, user) DO UPDATE SET identity = excluded.identity
      """,
      [
        login.poolID, login.kind.name, login.provider, Data(login.user.utf8), login.identityID,
        login.linked.seconds,
      ])
  }

  func removeLogin(
    inPool poolID: String, kind: LinkedLogin.Kind, provider: String, user: String
  ) throws(IdentityError) {
    try execute(
      "DELETE FROM login WHERE pool = ? AND kind = ? AND provider = ? AND user = ?",
      [poolID, kind.name, provider, Data(user.utf8)])
  }

  func put(_ role: StoredRole) throws(IdentityError) {
    try role.check()
    try execute(
      "INSERT OR REPLACE INTO role (arn, trust_policy, longest_session) VALUES (?, ?, ?)",
      [role.arn, role.trustPolicy, role.longestSession.wholeSeconds])
  }

  func removeRole(_ arn: String) throws(IdentityError) {
    try execute("DELETE FROM role WHERE arn = ?", [arn])
  }

  func put(_ provider: LoginProviderSettings) throws(IdentityError) {
    try provider.check()
    try execute(
      "INSERT OR REPLACE INTO login_provider (name, client_ids, keys) VALUES (?, ?, ?)",
      [provider.name, provider.clientIDs.joined(separator: "\n"), provider.keys])
  }

  func removeLoginProvider(_ name: String) throws(IdentityError) {
    try execute("DELETE FROM login_provider WHERE name = ?", [name])
  }

  func put(_ key: StoredSigningKey) throws(IdentityError) {
    try key.check()
    try execute(
      "INSERT OR REPLACE INTO signing_key (id, published, signs_from, sealed) VALUES (?, ?, ?, ?)",
      [key.keyID, key.published.seconds, key.signsFrom.seconds, Data(key.sealed)])
  }

  func removeSigningKey(_ keyID: String) throws(IdentityError) {
    try execute("DELETE FROM signing_key WHERE id = ?", [keyID])
  }

  func put(_ key: StoredAccessKey) throws(IdentityError) {
    try key.check()
    try execute(
      "INSERT OR REPLACE INTO access_key (id, created, note, sealed, pools, may) VALUES (?, ?, ?, ?, ?, ?)",
      [
        key.id, key.created.seconds, key.note, Data(key.sealed), key.scope.storedPools,
        key.scope.storedCapabilities,
      ])
  }

  func removeAccessKey(_ id: String) throws(IdentityError) {
    try execute("DELETE FROM access_key WHERE id = ?", [id])
  }
}

internal import CognitoIdentity
internal import CognitoSync
internal import CognitoUserPool
internal import TokenSecurityBase

/// The tables of identity pools, of user pools and of data sets, which one database has.
enum ServiceTables {
  static let all: [any DeclaredTable] = IdentityTables.all + UserPoolTables.all + SyncTables.all

  /// A row's key for logs: of a user pool's rows only the first part, which is a pool's or a client's id.
  static func description(of key: RecordKey, in table: String) -> String {
    if SyncTables.all.contains(where: { $0.name == table }) {
      return SyncTables.description(of: key, in: table)
    }
    guard UserPoolTables.all.contains(where: { $0.name == table }) else {
      return IdentityTables.description(of: key, in: table)
    }
    guard case .text(let id)? = key.parts?.first else { return "…" }
    return key.parts?.count == 1 ? id : id + " …"
  }
}

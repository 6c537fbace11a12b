public import Records
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The tables of user pools, for the store that a service is made over.
///
///     let store = try MemoryRecordStore(tables: UserPoolTables.all)
public enum UserPoolTables {
  /// All tables.
  public static let all: [any DeclaredTable] = [
    pools, clients, users, aliases, groups, memberships, devices, signIns, codes, attempts, usedValues,
    pendingSignIns, signingKeys, outbox, removedUsers,
  ]

  /// Maximum number of rows of one kind that a transaction removes.
  package static let portion = 500

  package static let pools = Table<UserPool>(
    "user_pool", key: { RecordKey($0.id) }, indexes: [removedPools], encoding: UserPool.encoding)
  /// Pools that were deleted, and some of whose rows are left.
  package static let removedPools = Index<UserPool>("removed") { $0.isRemoved ? [RecordKey($0.id)] : [] }

  package static let clients = Table<UserPoolClient>(
    "user_pool_client", key: { RecordKey($0.id) }, indexes: [clientOfPool], encoding: UserPoolClient.encoding)
  package static let clientOfPool = Index<UserPoolClient>("pool") { [RecordKey($0.poolID, $0.id)] }

  package static let users = Table<User>(
    "pool_user", key: { userKey($0.poolID, $0.canonicalName) }, indexes: [userBySub, userByAttribute],
    encoding: User.encoding)
  package static let userBySub = Index<User>("sub", isUnique: true) { [RecordKey($0.poolID, $0.sub)] }
  /// The attributes that lists search by: pool, attribute, value in the form of ``searched(_:)``.
  package static let userByAttribute = Index<User>("attribute") { user in
    searchedAttributes.compactMap { name in
      user.attribute(name).map { RecordKey(user.poolID, name, searched($0)) }
    }
  }
  package static let searchedAttributes = [
    "email", "phone_number", "name", "given_name", "family_name", "preferred_username",
  ]

  /// Users who were removed, and some of whose rows are left.
  package static let removedUsers = Table<RemovedUser>(
    "removed_user", key: { RecordKey($0.poolID, $0.sub) }, encoding: RemovedUser.encoding)

  package static let aliases = Table<UserAlias>(
    "user_alias", key: { aliasKey($0.poolID, $0.attribute, $0.value) }, indexes: [aliasOfUser],
    encoding: UserAlias.encoding)
  package static let aliasOfUser = Index<UserAlias>("user") { [userKey($0.poolID, $0.canonicalName)] }

  package static let groups = Table<UserGroup>(
    "user_group", key: { RecordKey($0.poolID, $0.name) }, encoding: UserGroup.encoding)
  package static let memberships = Table<GroupMembership>(
    "group_member", key: { RecordKey($0.poolID, $0.group, $0.sub) }, indexes: [membershipOfUser],
    encoding: GroupMembership.encoding)
  package static let membershipOfUser = Index<GroupMembership>("user") {
    [RecordKey($0.poolID, $0.sub, $0.group)]
  }

  package static let devices = Table<UserDevice>(
    "user_device", key: { RecordKey($0.poolID, $0.sub, $0.key) }, encoding: UserDevice.encoding,
    expires: { $0.end })

  package static let signIns = Table<SignIn>(
    "user_sign_in", key: { RecordKey($0.poolID, $0.id) }, indexes: [signInOfUser],
    encoding: SignIn.encoding, expires: { $0.kept })
  package static let signInOfUser = Index<SignIn>("user") { [RecordKey($0.poolID, $0.sub)] }

  package static let codes = Table<StoredCode>(
    "user_code", key: { RecordKey($0.poolID, $0.sub, $0.purpose) }, encoding: StoredCode.encoding,
    expires: { $0.end }, isFilledByStrangers: true)
  package static let attempts = Table<AttemptRow>(
    "user_attempt", key: { RecordKey($0.poolID, $0.kind, $0.key) }, encoding: AttemptRow.encoding,
    expires: { $0.end }, isFilledByStrangers: true)
  package static let usedValues = Table<UsedValue>(
    "used_value", key: { RecordKey($0.poolID, $0.kind, $0.value) }, encoding: UsedValue.encoding,
    expires: { $0.end })
  package static let pendingSignIns = Table<PendingSignIn>(
    "pending_sign_in", key: { RecordKey($0.poolID, $0.sub, $0.clientID) }, encoding: PendingSignIn.encoding,
    expires: { $0.end })

  package static let signingKeys = Table<PoolSigningKey>(
    "pool_signing_key", key: { RecordKey($0.poolID, $0.use, $0.key.keyID) }, encoding: PoolSigningKey.encoding
  )

  package static let outbox = Table<OutboxRow>(
    "outbox", key: { RecordKey($0.poolID, $0.id) }, indexes: [outboxByDue], encoding: OutboxRow.encoding,
    expires: { $0.end })
  /// The messages of a medium, the next one first.
  package static let outboxByDue = Index<OutboxRow>("due") { [RecordKey($0.medium, $0.due)] }

  /// A value as lists search by it: its first 256 bytes, in lowercase ASCII.
  package static func searched(_ value: String) -> String {
    let bytes = Array(value.utf8.prefix(257))
    var end = min(bytes.count, 256)
    // Characters stay whole.
    while end > 0, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return String(decoding: bytes[..<end].map(\.lowercasedASCII), as: UTF8.self)
  }

  package static func userKey(_ pool: String, _ canonicalName: String) -> RecordKey {
    RecordKey(pool, canonicalName)
  }

  /// An alias's key. A value beyond 512 bytes is looked up by its digest.
  package static func aliasKey(_ pool: String, _ attribute: String, _ value: String) -> RecordKey {
    guard value.utf8.count > 512, let digest = try? DigestAlgorithm.sha256.hash(value.utf8.span) else {
      return RecordKey(pool, attribute, value)
    }
    return RecordKey(pool, attribute, digest)
  }
}

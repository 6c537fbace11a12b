internal import CognitoIdentity

/// A row that was read, or the logins of an identity.
enum CachedRow: Sendable {
  case pool(IdentityPool)
  case identity(Identity)
  case login(LinkedLogin)
  case logins(_ identityID: String, [LinkedLogin])
  case role(StoredRole)
  case provider(LoginProviderSettings)
  case accessKey(StoredAccessKey)

  /// An estimate of the row's bytes in memory, with its key and its entry in a table.
  var weight: Int {
    switch self {
    case .pool(let pool): Self.entry + Self.weight(pool)
    case .identity(let row): Self.entry + Self.weight(row.id, row.poolID, row.mergedInto ?? "")
    case .login(let row): Self.entry + Self.weight(row)
    case .logins(let id, let rows): rows.reduce(Self.entry + Self.weight(id)) { $0 + Self.weight($1) }
    case .role(let row): Self.entry + Self.weight(row.arn, row.trustPolicy)
    case .provider(let row): Self.entry + Self.weight(row.name, row.keys ?? "") + Self.weight(row.clientIDs)
    case .accessKey(let row):
      Self.entry + Self.weight(row.id, row.note) + row.sealed.count + Self.weight(row.scope.pools ?? [])
    }
  }

  /// An entry in a table: key, value and free space.
  private static let entry = 256
  /// The reference and header of a text.
  private static let text = 48

  private static func weight(_ texts: String...) -> Int { weight(texts) }

  private static func weight(_ texts: some Sequence<String>) -> Int {
    texts.reduce(0) { $0 + text + $1.utf8.count }
  }

  private static func weight(_ login: LinkedLogin) -> Int {
    // The key has the same texts.
    64 + 2 * weight(login.poolID, login.provider, login.user, login.identityID)
  }

  private static func weight(_ pool: IdentityPool) -> Int {
    var sum = weight(pool.id, pool.name, pool.developerProviderName ?? "")
    for map in [pool.supportedLoginProviders, pool.tags, pool.roles] {
      for (key, value) in map { sum += 32 + weight(key, value) }
    }
    sum += weight(pool.openIDProviderARNs) + weight(pool.samlProviderARNs)
    for client in pool.userPoolClients { sum += weight(client.providerName, client.clientID) }
    for (key, mapping) in pool.roleMappings {
      sum += 64 + weight(key)
      for rule in mapping.rules { sum += 16 + weight(rule.claim, rule.value, rule.roleARN) }
    }
    for (key, map) in pool.principalTagMaps {
      sum += 64 + weight(key)
      for (key, value) in map.tags { sum += 32 + weight(key, value) }
    }
    return sum
  }
}

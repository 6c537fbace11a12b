internal import Records
internal import TokenLifetime
internal import TokenSecurityBase

/// How rows are stored: JSON objects, which operators can read. Secrets in them are sealed.
///
/// A missing or mistyped member makes a row unreadable. No default takes its place: without its scope, an access
/// key would allow too much.
extension Identity {
  static let encoding = RowEncoding<Identity>.json(
    write: { identity, _ in
      [
        "id": .string(identity.id), "pool": .string(identity.poolID),
        "created": .seconds(identity.created), "modified": .seconds(identity.modified),
        "signedIn": .bool(identity.hasSignedIn), "mergedInto": .optional(identity.mergedInto),
      ]
    },
    read: { row, _ in
      guard let id = row["id"]?.string, let pool = row["pool"]?.string,
        let created = row["created"]?.timestamp, let modified = row["modified"]?.timestamp,
        let hasSignedIn = row["signedIn"]?.bool, let mergedInto = row["mergedInto"]?.optionalString
      else { return nil }
      return Identity(
        id: id, poolID: pool, created: created, modified: modified, hasSignedIn: hasSignedIn,
        mergedInto: mergedInto)
    })
}

extension StoredLogin {
  static let encoding = RowEncoding<StoredLogin>.json(
    write: { row, _ in
      let login = row.login
      return [
        "pool": .string(login.poolID), "kind": .string(login.kind.name),
        "provider": .string(login.provider), "user": .string(login.user),
        "identity": .string(login.identityID), "linked": .seconds(login.linked),
        "order": .number(JSONNumber(row.order)),
      ]
    },
    read: { row, _ in
      guard let pool = row["pool"]?.string, let name = row["kind"]?.string,
        let kind = LinkedLogin.Kind(name: name), let provider = row["provider"]?.string,
        let user = row["user"]?.string, let identity = row["identity"]?.string,
        let linked = row["linked"]?.timestamp, let order = row["order"]?.int64
      else { return nil }
      return StoredLogin(
        login: LinkedLogin(
          poolID: pool, kind: kind, provider: provider, user: user, identityID: identity, linked: linked),
        order: order)
    })
}

extension StoredRole {
  static let encoding = RowEncoding<StoredRole>.json(
    write: { role, _ in
      [
        "arn": .string(role.arn), "trustPolicy": .string(role.trustPolicy),
        "longestSession": .number(JSONNumber(role.longestSession.wholeSeconds)),
      ]
    },
    read: { row, _ in
      guard let arn = row["arn"]?.string, let policy = row["trustPolicy"]?.string,
        let longest = row["longestSession"]?.int64
      else { return nil }
      return StoredRole(arn: arn, trustPolicy: policy, longestSession: .seconds(longest))
    })
}

extension LoginProviderSettings {
  static let encoding = RowEncoding<LoginProviderSettings>.json(
    write: { provider, _ in
      [
        "name": .string(provider.name), "clientIDs": .array(provider.clientIDs.map(JSONValue.string)),
        "keys": .optional(provider.keys),
      ]
    },
    read: { row, _ in
      guard let name = row["name"]?.string, let clientIDs = row["clientIDs"]?.strings,
        let keys = row["keys"]?.optionalString
      else { return nil }
      return LoginProviderSettings(name: name, clientIDs: clientIDs, keys: keys)
    })
}

extension StoredSigningKey {
  static let encoding = RowEncoding<StoredSigningKey>.json(
    write: { key, _ in
      [
        "id": .string(key.keyID), "published": .seconds(key.published),
        "signsFrom": .seconds(key.signsFrom), "sealed": .string(Base64URL.string(key.sealed)),
      ]
    },
    read: { row, _ in
      guard let id = row["id"]?.string, let published = row["published"]?.timestamp,
        let signsFrom = row["signsFrom"]?.timestamp, let sealed = row["sealed"]?.sealed
      else { return nil }
      return StoredSigningKey(keyID: id, published: published, signsFrom: signsFrom, sealed: sealed)
    })
}

extension StoredAccessKey {
  static let encoding = RowEncoding<StoredAccessKey>.json(
    write: { key, _ in
      [
        "id": .string(key.id), "created": .seconds(key.created), "note": .string(key.note),
        "sealed": .string(Base64URL.string(key.sealed)),
        // Null: all pools.
        "pools": key.scope.pools.map { .array($0.map(JSONValue.string)) } ?? .null,
        "capabilities": .array(key.scope.capabilities.map(\.name).sorted().map(JSONValue.string)),
      ]
    },
    read: { row, _ in
      guard let id = row["id"]?.string, let created = row["created"]?.timestamp,
        let note = row["note"]?.string, let sealed = row["sealed"]?.sealed, let scope = AccessKeyScope(row)
      else { return nil }
      return StoredAccessKey(id: id, created: created, note: note, sealed: sealed, scope: scope)
    })
}

extension AccessKeyScope {
  fileprivate init?(_ row: JSONObject) {
    guard let pools = row["pools"], let names = row["capabilities"]?.strings else { return nil }
    var ids: [String]?
    if pools != .null {
      guard let listed = pools.strings else { return nil }
      ids = listed
    }
    var capabilities: Set<Capability> = []
    for name in names {
      guard let capability = Capability(name: name) else { return nil }
      capabilities.insert(capability)
    }
    do throws(IdentityError) {
      try self.init(pools: ids, capabilities: capabilities)
    } catch {
      return nil
    }
  }
}

extension JSONValue {
  fileprivate static func seconds(_ time: Timestamp) -> JSONValue { .number(JSONNumber(time.seconds)) }
  fileprivate static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

  fileprivate var timestamp: Timestamp? { int64.map { Timestamp(seconds: $0) } }
  /// The text, or nil for null; nothing for other types.
  fileprivate var optionalString: String?? {
    switch self {
    case .string(let text): .some(text)
    case .null: .some(nil)
    default: nil
    }
  }
  fileprivate var sealed: [UInt8]? { string.flatMap { try? Base64URL.decode($0) } }
}

package import Records
public import TokenLifetime
internal import TokenSecurityBase

/// A stored role.
public struct StoredRole: Sendable, Hashable {
  /// The role's ARN.
  public internal(set) var arn: String
  /// The trust policy's JSON.
  public var trustPolicy: String
  /// The longest session: 3,600 to 43,200 whole seconds.
  public var longestSession: Duration
  /// The permission policies, which decide what the role's sessions may call. Without one, sessions may use the data sets
  /// of their identity.
  public var policies: [PermissionPolicy]

  /// Makes a role.
  ///
  /// - Parameters:
  ///   - arn: the role's ARN.
  ///   - trustPolicy: the trust policy's JSON.
  ///   - longestSession: the longest session. Default: one hour.
  ///   - policies: the permission policies. Default: none.
  public init(
    arn: String, trustPolicy: String, longestSession: Duration = .seconds(3_600),
    policies: [PermissionPolicy] = []
  ) {
    self.arn = arn
    self.trustPolicy = trustPolicy
    self.longestSession = longestSession
    self.policies = policies
  }
}

extension StoredRole: StoredFields {
  package init() { self.init(arn: "", trustPolicy: "") }

  package mutating func fields(_ f: inout RowFields) {
    var seconds = longestSession.wholeSeconds
    f.text("arn", &arn)
    f.text("trustPolicy", &trustPolicy)
    f.number("longestSession", &seconds)
    longestSession = .seconds(seconds)
    f.rows("policies", &policies)
  }

  /// Version 2 has policies: a node that does not know them would allow more.
  package static var encoding: RowEncoding<StoredRole> {
    RowEncoding(
      version: 2, oldest: 1,
      encode: { role, version in version < 2 && !role.policies.isEmpty ? nil : role.json },
      decode: { json, _ in StoredRole(json: json) })
  }
}

/// Settings of a login provider that apply to all pools.
public struct LoginProviderSettings: Sendable, Hashable {
  /// The provider's name in `Logins`.
  public internal(set) var name: String
  /// The accepted audiences of an OpenID provider's tokens. For other providers the pool has them.
  public var clientIDs: [String]
  /// A JWK set to use instead of the provider's own; nil to fetch the provider's.
  public var keys: String?

  /// Makes settings.
  ///
  /// - Parameters:
  ///   - name: the provider's name.
  ///   - clientIDs: the accepted audiences. Default: none.
  ///   - keys: a JWK set. Default: the provider's own.
  public init(name: String, clientIDs: [String] = [], keys: String? = nil) {
    self.name = name
    self.clientIDs = clientIDs
    self.keys = keys
  }
}

extension LoginProviderSettings: StoredFields {
  package init() { self.init(name: "") }

  package mutating func fields(_ f: inout RowFields) {
    f.text("name", &name)
    f.value("clientIDs", &clientIDs, .list(.text))
    f.value("keys", &keys, .nullable(.text))
  }
}

/// A stored access key of a developer.
public struct StoredAccessKey: Sendable, Hashable {
  /// The access key's id.
  public internal(set) var id: String
  /// When it was made.
  public internal(set) var created: Timestamp
  /// The operator's note.
  public var note: String
  /// The sealed secret.
  public internal(set) var sealed: [UInt8]
  /// The pools and calls that it allows.
  public internal(set) var scope: AccessKeyScope

  /// Makes a key from its parts.
  public init(
    id: String, created: Timestamp, note: String, sealed: [UInt8], scope: AccessKeyScope = .everything
  ) {
    self.id = id
    self.created = created
    self.note = note
    self.sealed = sealed
    self.scope = scope
  }
}

extension StoredAccessKey: StoredFields {
  package init() { self.init(id: "", created: Timestamp(seconds: 0), note: "", sealed: []) }

  package mutating func fields(_ f: inout RowFields) {
    f.text("id", &id)
    f.time("created", &created)
    f.text("note", &note)
    f.bytes("sealed", &sealed)
    var pools = scope.pools
    var capabilities = scope.capabilities.sorted { $0.rawValue < $1.rawValue }
    var policies = scope.policies
    // Null: all pools.
    f.value("pools", &pools, .nullable(.list(.text)))
    f.value("capabilities", &capabilities, .list(.choice))
    f.rows("policies", &policies)
    // Without its scope a key would allow too much.
    do throws(IdentityError) {
      scope = try AccessKeyScope(pools, Set(capabilities), policies)
    } catch {
      f.damage()
    }
    if capabilities.isEmpty == policies.isEmpty { f.damage() }
  }

  /// Version 2 has policies: a node that does not know them would not read such a key.
  package static var encoding: RowEncoding<StoredAccessKey> {
    RowEncoding(
      version: 2, oldest: 1,
      encode: { key, version in version < 2 && !key.scope.policies.isEmpty ? nil : key.json },
      decode: { json, _ in StoredAccessKey(json: json) })
  }
}

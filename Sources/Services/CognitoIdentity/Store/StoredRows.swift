public import TokenLifetime

/// A stored role.
public struct StoredRole: Sendable, Hashable {
  /// The role's ARN.
  public let arn: String
  /// The trust policy's JSON.
  public var trustPolicy: String
  /// The longest session: 3,600 to 43,200 whole seconds.
  public var longestSession: Duration

  /// Makes a role.
  ///
  /// - Parameters:
  ///   - arn: the role's ARN.
  ///   - trustPolicy: the trust policy's JSON.
  ///   - longestSession: the longest session. Default: one hour.
  public init(arn: String, trustPolicy: String, longestSession: Duration = .seconds(3_600)) {
    self.arn = arn
    self.trustPolicy = trustPolicy
    self.longestSession = longestSession
  }
}

/// Settings of a login provider that apply to all pools.
public struct LoginProviderSettings: Sendable, Hashable {
  /// The provider's name in `Logins`.
  public let name: String
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

/// A stored access key of a developer.
public struct StoredAccessKey: Sendable, Hashable {
  /// The access key's id.
  public let id: String
  /// When it was made.
  public let created: Timestamp
  /// The operator's note.
  public var note: String
  /// The sealed secret.
  public let sealed: [UInt8]
  /// The pools and calls that it allows.
  public let scope: AccessKeyScope

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

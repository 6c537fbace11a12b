public import TokenLifetime
public import TokenSecurityBase

/// An identity: the stable id of a user, whatever login the user signs in with.
public struct Identity: Sendable, Hashable {
  /// The identity's id: a region, a colon and a UUID.
  public let id: String
  /// The id of its pool.
  public let poolID: String
  /// When it was made.
  public let created: Timestamp
  /// When its logins last changed.
  public var modified: Timestamp
  /// True once a login was linked. Such an identity never becomes a guest's again, even without logins:
  /// otherwise its id would suffice to use it.
  public var hasSignedIn: Bool
  /// The identity that it was merged into; nil for an active identity.
  public var mergedInto: String?

  /// Makes an identity from its parts.
  public init(
    id: String, poolID: String, created: Timestamp, modified: Timestamp, hasSignedIn: Bool,
    mergedInto: String? = nil
  ) {
    self.id = id
    self.poolID = poolID
    self.created = created
    self.modified = modified
    self.hasSignedIn = hasSignedIn
    self.mergedInto = mergedInto
  }
}

/// A login that is linked to an identity.
public struct LinkedLogin: Sendable, Hashable {
  /// The id of the identity's pool.
  public let poolID: String
  /// Who authenticates the user. Part of the key: a developer's user and a provider's user never share a
  /// login.
  public let kind: Kind
  /// The provider's name: a public one, or the pool's developer provider.
  public let provider: String
  /// The user at the provider: `sub`, or the developer's identifier.
  public let user: String
  /// The id of the identity.
  public var identityID: String
  /// When it was linked.
  public let linked: Timestamp

  /// Who authenticates a login's user.
  public enum Kind: ExactString, Sendable, Hashable, CaseIterable {
    /// The developer's own service, in a signed call.
    case developer
    /// A public provider, a user pool or an OpenID provider, by a token.
    case external
  }

  /// Maximum number of logins of an identity.
  public static let limit = 20

  /// Makes a login from its parts. Pool, kind, provider and user are the key.
  public init(
    poolID: String, kind: Kind, provider: String, user: String, identityID: String, linked: Timestamp
  ) {
    self.poolID = poolID
    self.kind = kind
    self.provider = provider
    self.user = user
    self.identityID = identityID
    self.linked = linked
  }
}

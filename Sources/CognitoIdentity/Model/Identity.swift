public import TokenLifetime
public import TokenSecurityEncodings

/// Somebody, as a pool knows them: an id that stays the same however they sign in.
public struct Identity: Sendable, Hashable {
  /// The identity's id: a region, a colon and a UUID.
  public let id: String
  /// The pool that it is of.
  public let poolID: String
  /// When it was made.
  public let created: Timestamp
  /// When its logins last changed.
  public var modified: Timestamp
  /// True once a login was linked to it. Such an identity is never again a guest's, even when all its logins have been
  /// taken off: whoever knows its id would get in.
  public var hasSignedIn: Bool
  /// The identity that it was merged into; nil for one that is alive.
  public var mergedInto: String?

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

/// A way of signing in that is linked to an identity.
public struct LinkedLogin: Sendable, Hashable {
  public let poolID: String
  /// Who proved it. It is part of the login's key: a developer's user and an OpenID provider's user never share one.
  public let kind: Kind
  /// The provider's name: a public one, or the pool's developer provider.
  public let provider: String
  /// Who the user is there: `sub`, or what the developer calls them.
  public let user: String
  public var identityID: String
  /// When it was linked.
  public let linked: Timestamp

  /// Who proves a login.
  public enum Kind: ExactString, Sendable, Hashable, CaseIterable {
    /// The developer's own service, in a signed call.
    case developer
    /// A public provider, a user pool or an OpenID provider, by a token.
    case external
  }

  /// The most logins that an identity may have.
  public static let limit = 20

  /// A login; its pool, kind, provider and user are its key.
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

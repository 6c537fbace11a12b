package import Records
public import TokenLifetime
public import TokenSecurityBase

/// An identity: the stable id of a user, whatever login the user signs in with.
public struct Identity: Sendable, Hashable {
  /// The identity's id: a region, a colon and a UUID.
  public internal(set) var id: String
  /// The id of its pool.
  public internal(set) var poolID: String
  /// When it was made.
  public internal(set) var created: Timestamp
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

extension Identity: StoredFields {
  package init() {
    let never = Timestamp(seconds: 0)
    self.init(id: "", poolID: "", created: never, modified: never, hasSignedIn: false)
  }

  package mutating func fields(_ f: inout RowFields) {
    f.text("id", &id)
    f.text("pool", &poolID)
    f.time("created", &created)
    f.time("modified", &modified)
    f.bool("signedIn", &hasSignedIn)
    f.value("mergedInto", &mergedInto, .nullable(.text))
  }
}

/// A login that is linked to an identity.
public struct LinkedLogin: Sendable, Hashable {
  /// The id of the identity's pool.
  public internal(set) var poolID: String
  /// Who authenticates the user. Part of the key: a developer's user and a provider's user never share a
  /// login.
  public internal(set) var kind: Kind
  /// The provider's name: a public one, or the pool's developer provider.
  public internal(set) var provider: String
  /// The user at the provider: `sub`, or the developer's identifier.
  public internal(set) var user: String
  /// The id of the identity.
  public var identityID: String
  /// When it was linked.
  public internal(set) var linked: Timestamp

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

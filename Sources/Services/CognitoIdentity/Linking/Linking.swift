internal import TokenSecurityBase

/// A login that is authenticated by its token or by the developer's signed call.
struct ProvedLogin: Sendable, Hashable {
  let provider: String
  let user: String
  let kind: LinkedLogin.Kind

  var isDeveloper: Bool { kind == .developer }

  /// The provider and the `amr` element of a developer's user.
  func method(in pool: IdentityPool) -> (provider: String, amr: String) {
    (provider, "\(provider):\(pool.id):\(user)")
  }
}

/// Resolves logins to one identity: links new logins, and merges identities where the logins belong to
/// several.
///
/// All reads and writes are in one transaction, so that concurrent callers get the same identity.
enum Linking {
  /// Returns the identity of these logins if no change is needed, otherwise nil.
  static func settled(
    _ logins: [ProvedLogin], requested: String?, in pool: IdentityPool,
    _ store: ReadTransaction<IdentityError>
  ) throws(IdentityError) -> Identity? {
    guard !logins.isEmpty else { return nil }
    var found: String? = nil
    for login in logins {
      guard
        let linked = try store.login(
          inPool: pool.id, kind: login.kind, provider: login.provider, user: login.user),
        found == nil || found == linked.identityID
      else { return nil }
      found = linked.identityID
    }
    guard let found, requested == nil || requested == found,
      let identity = try store.identity(found, inPool: pool.id),
      identity.mergedInto == nil
    else { return nil }
    return identity
  }

  /// Resolves logins to one identity and stores the changes.
  static func resolve(
    _ logins: [ProvedLogin], requested: String?, in pool: IdentityPool, newID: String, at now: Timestamp,
    observer: (any IdentityObserver)?, _ store: WriteTransaction<IdentityError>
  ) throws(IdentityError) -> Identity {
    var linkedTo: [String?] = []
    for login in logins {
      linkedTo.append(
        try store.login(inPool: pool.id, kind: login.kind, provider: login.provider, user: login.user)?
          .identityID)
    }
    var owners: [Identity] = []
    if let requested {
      let identity = try active(requested, in: pool, store)
      for (login, owner) in zip(logins, linkedTo) where login.isDeveloper {
        if let owner, owner != requested { throw .developerUserTaken }
      }
      guard !identity.hasSignedIn || linkedTo.contains(where: { $0 == requested }) else {
        throw .identityForbidden(requested)
      }
      owners.append(identity)
    }
    for case let owner? in linkedTo where !owners.contains(where: { $0.id == owner }) {
      owners.append(try active(owner, in: pool, store))
    }
    let bringsLogins = linkedTo.contains(where: { $0 == nil }) || owners.count(where: \.hasSignedIn) > 1
    if bringsLogins, !logins.contains(where: \.isDeveloper) {
      // Only the developer's service links logins to identities with a developer login. A guest's identity
      // may be merged into one.
      for owner in owners where try store.logins(of: owner.id).contains(where: { $0.kind == .developer }) {
        throw .linkingNeedsDeveloper
      }
    }
    var parent =
      try parent(owners, logins, linkedTo)
      ?? Identity(id: newID, poolID: pool.id, created: now, modified: now, hasSignedIn: !logins.isEmpty)
    for other in owners where other.id != parent.id {
      try merge(other, into: parent, at: now, observer: observer, store)
    }
    parent.modified = now
    parent.hasSignedIn = parent.hasSignedIn || !logins.isEmpty
    // Stored before its logins, which refer to it.
    try store.put(parent)
    try link(logins, to: parent, pool, at: now, store)
    return parent
  }

  /// The identity that remains after a merge: the developer user's, else the oldest that has signed in, else
  /// the requested one.
  private static func parent(
    _ owners: [Identity], _ logins: [ProvedLogin], _ linkedTo: [String?]
  ) throws(IdentityError) -> Identity? {
    for (login, owner) in zip(logins, linkedTo) where login.isDeveloper {
      if let found = owners.first(where: { $0.id == owner }) { return found }
    }
    let signedIn = owners.filter(\.hasSignedIn)
    return signedIn.min { $0.created == $1.created ? $0.id < $1.id : $0.created < $1.created } ?? owners.first
  }

  private static func active(
    _ id: String, in pool: IdentityPool, _ store: ReadTransaction<IdentityError>
  ) throws(IdentityError) -> Identity {
    guard let identity = try store.identity(id, inPool: pool.id) else {
      throw .identityUnknown(id)
    }
    guard identity.mergedInto == nil else { throw .identityDisabled(id) }
    return identity
  }

  /// Moves all logins of `source` to `destination` and disables `source`.
  ///
  /// - Throws: `loginConflict`, `loginsFull`, before any change.
  static func merge(
    _ source: Identity, into destination: Identity, at now: Timestamp, observer: (any IdentityObserver)?,
    _ store: WriteTransaction<IdentityError>
  ) throws(IdentityError) {
    let moving = try store.logins(of: source.id)
    let staying = try store.logins(of: destination.id)
    for login in moving where login.kind == .external {
      guard !staying.contains(where: { $0.kind == .external && $0.provider == login.provider }) else {
        throw .loginConflict(provider: login.provider)
      }
    }
    let count = moving.count + staying.count
    guard count <= LinkedLogin.limit else { throw .loginsFull(count: count, limit: LinkedLogin.limit) }
    for var login in moving {
      login.identityID = destination.id
      try store.put(login)
    }
    var source = source
    source.mergedInto = destination.id
    source.modified = now
    try store.put(source)
    try observer?.merged(source, into: destination, store)
  }

  private static func link(
    _ logins: [ProvedLogin], to identity: Identity, _ pool: IdentityPool, at now: Timestamp,
    _ store: WriteTransaction<IdentityError>
  ) throws(IdentityError) {
    var linked = try store.logins(of: identity.id)
    for login in logins {
      let isThere = linked.contains {
        $0.kind == login.kind && $0.provider == login.provider && $0.user == login.user
      }
      if isThere { continue }
      if login.kind == .external,
        linked.contains(where: { $0.kind == .external && $0.provider == login.provider })
      {
        throw .loginConflict(provider: login.provider)
      }
      let new = LinkedLogin(
        poolID: pool.id, kind: login.kind, provider: login.provider, user: login.user,
        identityID: identity.id, linked: now)
      linked.append(new)
      guard linked.count <= LinkedLogin.limit else {
        throw .loginsFull(count: linked.count, limit: LinkedLogin.limit)
      }
      try store.put(new)
    }
  }
}

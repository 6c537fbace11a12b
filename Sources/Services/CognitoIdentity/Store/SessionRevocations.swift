package import Records
public import TokenLifetime
internal import TokenSecurityBase

/// A revocation: sessions of its subject that began until a time are refused. Later ones are not.
public struct SessionRevocation: Sendable, Hashable {
  /// What a revocation is of.
  public enum Kind: ExactString, Sendable, Hashable, CaseIterable {
    /// One session, by the access key id of its credentials.
    case session
    /// The sessions of an identity, by its id.
    case identity
    /// The sessions of a role, by its ARN.
    case role
  }

  /// What it is of.
  public internal(set) var kind: Kind
  /// The access key id, the identity's id or the role's ARN.
  public internal(set) var name: String
  /// The last second in which a revoked session began.
  public internal(set) var until: Timestamp

  /// Makes a revocation.
  ///
  /// - Parameters:
  ///   - kind: what it is of.
  ///   - name: the access key id, the identity's id or the role's ARN.
  ///   - until: the last second in which a revoked session began.
  /// - Throws: `parameterLength`, `parameterPattern` for the name.
  public init(_ kind: Kind, _ name: String, until: Timestamp) throws(IdentityError) {
    switch kind {
    case .session: try TextBounds.sessionKeyID.check(name, "the access key id")
    case .identity: try TextBounds.identityID.check(name, "the identity's id")
    case .role: try TextBounds.roleARN.check(name, "the role's ARN")
    }
    self.kind = kind
    self.name = name
    self.until = until.wholeSecond
  }

  /// When the last session has ended that it is of, with an hour for clocks that differ.
  public var expires: Timestamp {
    until.advanced(bySeconds: SessionTokens.longestSession.wholeSeconds + 3_600)
  }

  fileprivate static func key(_ kind: Kind, _ name: String) throws(IdentityError) -> RecordKey {
    try RecordKey(kind.rawValue.text).appending(IdentityTables.part(name, longest: 1_024))
  }
}

extension SessionRevocation: StoredFields {
  package init() { (kind, name, until) = (.session, "", .earliest) }

  package mutating func fields(_ f: inout RowFields) {
    f.choice("kind", &kind)
    f.text("name", &name)
    f.time("until", &until)
  }
}

/// What a revocation can be of, and when the session began.
struct RevocableSubject: Sendable {
  let kind: SessionRevocation.Kind
  let name: String
  let began: Timestamp
}

extension IdentityTables {
  package static let sessionRevocations = Table<SessionRevocation>(
    "session_revocation",
    key: { (try? SessionRevocation.key($0.kind, $0.name)) ?? RecordKey($0.name) },
    encoding: SessionRevocation.encoding, expires: { $0.expires })
}

extension ReadTransaction<IdentityError> {
  /// Returns all revocations that sessions may still be of, ordered by kind and name.
  public func sessionRevocations() throws(IdentityError) -> [SessionRevocation] {
    try scan(IdentityTables.sessionRevocations, limit: IdentityTables.listLimit)
  }

  /// Returns true where a session was revoked.
  ///
  /// - Parameter subjects: what the session can be revoked by.
  /// - Returns: whether it was revoked.
  /// - Throws: `storeFailed`, also for a revocation that cannot be read.
  func isRevoked(_ subjects: [RevocableSubject]) throws(IdentityError) -> Bool {
    // Mostly the table is empty.
    guard try count(IdentityTables.sessionRevocations, limit: 1) > 0 else { return false }
    for subject in subjects {
      let key = try SessionRevocation.key(subject.kind, subject.name)
      // An access key id names one session, whatever the clocks of nodes say.
      if let revocation = try get(IdentityTables.sessionRevocations, key),
        subject.kind == .session || subject.began <= revocation.until
      {
        return true
      }
    }
    return false
  }
}

extension WriteTransaction<IdentityError> {
  /// Revokes sessions, and removes revocations that have ended. One that is there stays where it is of later sessions.
  ///
  /// - Parameter revocation: the revocation.
  /// - Throws: `storeFailed`.
  public func put(_ revocation: SessionRevocation) throws(IdentityError) {
    let key = try SessionRevocation.key(revocation.kind, revocation.name)
    if let known = try get(IdentityTables.sessionRevocations, key), known.until >= revocation.until { return }
    try put(revocation, in: IdentityTables.sessionRevocations)
    try removeExpired(from: IdentityTables.sessionRevocations, limit: 1_000)
  }
}

internal import TokenLifetime
internal import TokenSecurityBase

/// The sessions by which a session of `AssumeRole` was opened, one for each role: the first of it.
package struct SessionOrigin: Sendable, Hashable {
  /// A session.
  package struct Step: Sendable, Hashable {
    /// The access key id of its credentials.
    package let id: String
    /// Its role.
    package let roleARN: String
    /// When it began.
    package let issued: Timestamp
  }

  /// The identity of the first session; empty for none.
  package let identityID: String
  /// The sessions, the first one first.
  package let steps: [Step]

  /// The origin of a session that another one opens.
  ///
  /// A role that opens sessions of itself is there once, with its first session: what was revoked then stays revoked.
  init(openedBy session: SessionTokens.Session) {
    identityID = session.origin?.identityID ?? session.identityID
    var steps = session.origin?.steps ?? []
    if let id = session.id, let issued = session.issued,
      !steps.contains(where: { $0.roleARN == session.roleARN })
    {
      steps.append(Step(id: id, roleARN: session.roleARN, issued: issued))
    }
    self.steps = steps
  }

  /// The identity, then three members for each session.
  var members: [JSONValue] {
    [.string(identityID)]
      + steps.flatMap { [.string($0.id), .string($0.roleARN), .number(JSONNumber($0.issued.seconds))] }
  }

  /// Nil for other members.
  init?(_ members: [JSONValue]) {
    guard members.count % 3 == 1, let identity = members[0].string else { return nil }
    var steps: [Step] = []
    for index in stride(from: 1, to: members.count, by: 3) {
      guard let id = members[index].string, let role = members[index + 1].string,
        let issued = members[index + 2].int64
      else { return nil }
      steps.append(Step(id: id, roleARN: role, issued: Timestamp(seconds: issued)))
    }
    identityID = identity
    self.steps = steps
  }
}

package import TokenSecurityBase

/// The user of a hook's event, and the client and metadata of the call.
package struct HookUser: Sendable {
  package var pool: UserPool
  /// The client's id; nil for calls of administrators that name none.
  package var clientID: String?
  package var userName: String
  /// A stored user, whose attributes an event has.
  private let user: User?
  /// The attributes of a user who is not stored.
  private let given: [ExactString: String]
  /// `ClientMetadata` of the call.
  package var clientMetadata: [ExactString: String]

  package init(
    pool: UserPool, clientID: String?, userName: String, attributes: [ExactString: String],
    clientMetadata: [ExactString: String] = [:]
  ) {
    self.pool = pool
    self.clientID = clientID
    self.userName = userName
    user = nil
    given = attributes
    self.clientMetadata = clientMetadata
  }

  /// A stored user, with `sub` and status among the attributes.
  package init(
    _ user: User, in pool: UserPool, clientID: String?, clientMetadata: [ExactString: String] = [:]
  ) {
    self.pool = pool
    self.clientID = clientID
    self.userName = user.name
    self.user = user
    given = [:]
    self.clientMetadata = clientMetadata
  }

  /// `request.userAttributes`. Made for an event alone: users have more of them than those who stand in for names of
  /// nobody.
  package var attributes: [ExactString: String] {
    guard let user else { return given }
    var attributes = user.attributes
    attributes["sub"] = user.sub
    attributes["cognito:user_status"] = user.status.name
    return attributes
  }
}

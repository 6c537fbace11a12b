package import TokenLifetime
package import TokenSecurityBase

/// A user who has signed in and gets tokens.
package struct SignInFacts: Sendable {
  package var pool: UserPool
  package var client: UserPoolClient
  /// The user as read for the sign-in: a global sign-out since then revokes the tokens.
  package var user: User
  /// The device's key in pools that track devices.
  package var deviceKey: String?
  /// `auth_time`.
  package var authTime: Timestamp
  /// For hooks.
  package var clientMetadata: [ExactString: String]

  package init(
    pool: UserPool, client: UserPoolClient, user: User, deviceKey: String? = nil, authTime: Timestamp,
    clientMetadata: [ExactString: String] = [:]
  ) {
    self.pool = pool
    self.client = client
    self.user = user
    self.deviceKey = deviceKey
    self.authTime = authTime
    self.clientMetadata = clientMetadata
  }
}

/// The tokens of a sign-in or a refresh.
package struct IssuedTokens: Sendable {
  package let accessToken: String
  package let idToken: String
  /// Nil where the given one stays.
  package var refreshToken: String?
  /// How long the access token is valid.
  package let lifetime: Duration
}

extension WriteTransaction<UserPoolError> {
  /// Stores a sign-in, which makes its tokens valid.
  package func put(_ signIn: SignIn) throws(UserPoolError) { try put(signIn, in: UserPoolTables.signIns) }
}

extension User {
  /// Checks that the user's tokens are accepted.
  ///
  /// - Throws: `userDisabled`, `passwordResetRequired`.
  func checkUsesTokens() throws(UserPoolError) {
    guard isEnabled else { throw .userDisabled }
    guard status != .resetRequired else { throw .passwordResetRequired }
  }
}

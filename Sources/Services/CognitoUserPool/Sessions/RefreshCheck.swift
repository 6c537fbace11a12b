internal import Records
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The rules for a refresh token, in the transactions that read and replace it.
struct RefreshCheck: Sendable {
  let token: RefreshToken
  let client: UserPoolClient
  /// How long a replaced token still serves.
  let grace: Duration
  let secrets: UserPoolSecrets
  /// The time, which is read again after functions were called.
  var now: Timestamp

  /// The longest grace period.
  private static let longestGrace = Duration.seconds(60)
  /// Maximum number of replaced tokens that serve at once.
  private static let replacedLimit = 16

  /// Returns the token's sign-in and its user, if the token may be used now.
  ///
  /// - Throws: `refreshTokenInvalid`, `refreshTokenExpired`, `refreshTokenRevoked`, `refreshTokenReused`,
  ///   `userUnknown`, `userDisabled`, `passwordResetRequired`.
  func signIn(
    _ rows: ReadTransaction<UserPoolError>, in pool: UserPool
  ) throws(UserPoolError) -> (row: SignIn, user: User) {
    guard let row = try rows.signIn(token.signInID, in: pool.id), row.clientID.isIdentical(to: client.id)
    else { throw .refreshTokenInvalid }
    guard let user = try rows.user(canonicalName: row.canonicalName, in: pool), user.sub == row.sub else {
      throw .userUnknown
    }
    guard row.isLive(for: user) else { throw .refreshTokenRevoked }
    guard row.end > now else { throw .refreshTokenExpired }
    _ = try current(token, in: row)
    try user.checkUsesTokens()
    return (row, user)
  }

  /// Returns the sign-in's newest token, which a token that may be used leads to.
  private func current(_ token: RefreshToken, in row: SignIn) throws(UserPoolError) -> RefreshToken {
    let age = row.generation - Int64(token.generation)
    guard age >= 0 else { throw .refreshTokenInvalid }
    if age > 0 {
      let replaced = Int64(row.replaced.count) - age
      guard replaced >= 0, row.replaced[Int(replaced)] + grace > now else { throw .refreshTokenReused }
    }
    var current = token
    for _ in 0..<age { current = try current.successor(secrets: secrets) }
    let digest = try current.digest(secrets: secrets)
    guard ConstantTime.areEqual(digest.span, row.refreshDigest.span) else { throw .refreshTokenInvalid }
    return current
  }

  /// Replaces a token in its row. A token that was replaced already leads to the newest one: calls at once with
  /// one token get the same.
  ///
  /// - Throws: as ``signIn(_:in:)``.
  func replace(_ token: RefreshToken, in row: inout SignIn) throws(UserPoolError) -> RefreshToken {
    let current = try current(token, in: row)
    guard current.generation == token.generation else { return current }
    let next = try token.successor(secrets: secrets)
    row.generation = Int64(next.generation)
    row.refreshDigest = try next.digest(secrets: secrets)
    row.replaced = row.replaced.filter { $0 + Self.longestGrace > now }.suffix(Self.replacedLimit - 1) + [now]
    return next
  }
}

extension SignIn {
  /// True while neither this sign-in nor all of the user's were ended.
  package func isLive(for user: User) -> Bool { !isRevoked && epoch == user.epoch && sub == user.sub }
}

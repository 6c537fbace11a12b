internal import TokenSecurityBase
public import TokenSecurityCrypto

/// Simulated records for users who do not exist: the same pool and name always have the same salt and id (RFC
/// 5054 section 2.5.1.3). No response to their challenges is accepted.
public struct CognitoSimulatedUsers: Sendable {
  /// The form of `USER_ID_FOR_SRP` and `USERNAME`. It must be the form that the pool's real users have.
  public enum Identity: Sendable, Hashable {
    /// The name in the request: for pools whose users sign in with their user names only.
    case givenName
    /// A UUID: for pools whose users sign in with an email address or a phone number.
    case uuid
  }

  /// The form of ids.
  public let identity: Identity
  private let records: SimulatedVerifiers

  /// Creates simulated users.
  ///
  /// - Parameters:
  ///   - key: at least 32 random bytes, the same for the pool's whole lifetime.
  ///   - identity: the form of ids.
  /// - Throws: `keyTooShort`, `libraryFailure`.
  public init(key: borrowing SecretBytes, identity: Identity) throws(SRPError) {
    self.identity = identity
    records = try SimulatedVerifiers(key: key)
  }

  /// Returns a user's record, or a simulated one for an unknown user. The simulated one is computed in both cases,
  /// so that the time does not show which users exist.
  ///
  /// - Parameters:
  ///   - user: the stored user's record; nil without a user.
  ///   - userPoolID: the user pool, `REGION_NAME`.
  ///   - canonicalUsername: the spelling under which the store looks up the request's `USERNAME`, if several
  ///     spellings lead to one user (case, normal form, an alias). Compute it in the same way for users who do not
  ///     exist: their salt and id depend on it, and two spellings with two salts would show that there is no such
  ///     user.
  /// - Returns: the record for the challenge.
  /// - Throws: `userPoolIDMalformed`, `empty`, `tooLong`, `libraryFailure`.
  public func record(
    of user: consuming CognitoSRPRecord?, userPoolID: String, canonicalUsername: String
  ) throws(SRPError) -> CognitoSRPRecord {
    try record(of: user, pool: CognitoSRPIdentity.poolName(userPoolID), username: canonicalUsername)
  }

  /// The same with the pool's name. A simulated record shows the name `shown`. Default: as ``identity`` says.
  package func record(
    of user: consuming CognitoSRPRecord?, pool: String, username: String, shown: String? = nil
  ) throws(SRPError) -> CognitoSRPRecord {
    let other = try record(pool: pool, username: username, shown: shown)
    switch consume user {
    case .some(let user): return user
    case .none: return other
    }
  }

  /// The simulated record for a name in a pool.
  package func record(
    pool: String, username: String, shown: String? = nil
  ) throws(SRPError) -> CognitoSRPRecord {
    guard !username.isEmpty else { throw .empty(.identity) }
    try SRPLimits.check(username.utf8.count, .identity, SRPLimits.identity)
    let name = Array(pool.utf8) + [UInt8(ascii: "_")] + Array(username.utf8)
    let salt = CognitoNumber.salt(
      Declassification.of(
        try records.bytes("salt", name, count: 16).withBytes { [UInt8](unwipedCopy: $0) }))
    let id = try identifier(name)
    let verifier = try CognitoVerifier(
      salt: salt, value: records.value(name, SRPGroup(CognitoKeySchedule.group)))
    let shown = shown ?? (identity == .givenName ? username : id)
    return CognitoSRPRecord(
      identity: try .user(poolName: pool, userIDForSRP: shown), verifier: verifier)
  }

  /// A UUID of version 4 (RFC 9562 section 5.4), whichever of the two is shown: both take the same time.
  private func identifier(_ name: [UInt8]) throws(SRPError) -> String {
    let bytes = Declassification.of(
      try records.bytes("identifier", name, count: 16).withBytes { [UInt8](unwipedCopy: $0) })
    return UUIDText.version4(bytes)
  }
}

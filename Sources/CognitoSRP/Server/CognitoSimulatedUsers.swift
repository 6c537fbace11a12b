public import SecureRemotePassword
public import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// Simulated records for users who do not exist: the same pool and name always have the same salt and id (RFC
/// 5054 section 2.5.1.3).
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

  /// The record for a name in a pool. It shows the name `shown`. Default: as ``identity`` says.
  package func record(
    pool: String, username: String, shown: String? = nil
  ) throws(SRPError) -> CognitoUserRecord {
    let name = Array(pool.utf8) + [UInt8(ascii: "_")] + Array(username.utf8)
    let salt = CognitoNumber.salt(
      Declassification.of(
        try records.bytes("salt", name, count: 16).withBytes { [UInt8](unwipedCopy: $0) }))
    let id = try identifier(name)
    let verifier = try CognitoVerifier(
      salt: salt, value: records.value(name, SRPGroup(CognitoKeySchedule.group)))
    let shown = shown ?? (identity == .givenName ? username : id)
    return CognitoUserRecord(username: shown, userIDForSRP: shown, verifier: verifier)
  }

  /// A UUID of version 4 (RFC 9562 section 5.4), whichever of the two is shown: both take the same time.
  private func identifier(_ name: [UInt8]) throws(SRPError) -> String {
    let bytes = Declassification.of(
      try records.bytes("identifier", name, count: 16).withBytes { [UInt8](unwipedCopy: $0) })
    return UUIDText.version4(bytes)
  }
}

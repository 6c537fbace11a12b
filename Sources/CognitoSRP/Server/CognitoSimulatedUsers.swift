public import SecureRemotePassword
public import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// The answer for users who do not exist: the same pool and name always get the same false salt and id.
public struct CognitoSimulatedUsers: Sendable {
  /// What stands for `USER_ID_FOR_SRP` and `USERNAME`. It must be of the kind that the pool's own users have.
  public enum Identity: Sendable, Hashable {
    /// The name that was given: for pools whose users sign in with their names alone.
    case givenName
    /// A made-up UUID: for pools whose users sign in with an address or a telephone number.
    case uuid
  }

  /// The kind of id.
  public let identity: Identity
  private let records: SimulatedVerifiers

  /// `key`: 32 random bytes or more, kept as long as the pool lives.
  ///
  /// Throws `keyTooShort`, `libraryFailure`.
  public init(key: borrowing SecretBytes, identity: Identity) throws(SRPError) {
    self.identity = identity
    records = try SimulatedVerifiers(key: key)
  }

  /// The record for a name of a pool.
  func record(pool: String, username: String) throws(SRPError) -> CognitoUserRecord {
    let name = Array(pool.utf8) + [UInt8(ascii: "_")] + Array(username.utf8)
    let salt = Declassification.of(
      try records.bytes("salt", name, count: 16).withBytes { [UInt8](unwipedCopy: $0) })
    let id = try identifier(name)
    let verifier = try CognitoVerifier(
      salt: salt, value: records.value(name, SRPGroup(CognitoKeySchedule.group)))
    let shown = identity == .givenName ? username : id
    return CognitoUserRecord(username: shown, userIDForSRP: shown, verifier: verifier)
  }

  /// A UUID of version 4 (RFC 9562 section 5.4), whichever of the two is shown: both take the same time.
  private func identifier(_ name: [UInt8]) throws(SRPError) -> String {
    let bytes = Declassification.of(
      try records.bytes("identifier", name, count: 16).withBytes { [UInt8](unwipedCopy: $0) })
    return UUIDText.version4(bytes)
  }
}

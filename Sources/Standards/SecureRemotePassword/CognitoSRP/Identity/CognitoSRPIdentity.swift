internal import TokenSecurityBase

/// The identity in SRP's hashes: a user of a pool, or a remembered device.
public struct CognitoSRPIdentity: Sendable, Hashable {
  /// The part of the user pool id after the underscore, or the device's group key.
  public let realm: String
  /// `USER_ID_FOR_SRP`, or the device's key.
  public let name: String

  var bytes: [UInt8] { Array(realm.utf8) + Array(name.utf8) }

  /// A user.
  ///
  /// - Parameters:
  ///   - userPoolID: the user pool, `REGION_NAME`.
  ///   - userIDForSRP: the challenge's `USER_ID_FOR_SRP`, which can differ from the name that the user typed.
  /// - Returns: the identity.
  /// - Throws: `userPoolIDMalformed`, `empty`, `tooLong`.
  public static func user(userPoolID: String, userIDForSRP: String) throws(SRPError) -> CognitoSRPIdentity {
    try check(userIDForSRP: userIDForSRP)
    return CognitoSRPIdentity(realm: try poolName(userPoolID), name: userIDForSRP)
  }

  /// A user of a pool whose id has been read.
  package static func user(poolName: String, userIDForSRP: String) throws(SRPError) -> CognitoSRPIdentity {
    try check(userIDForSRP: userIDForSRP)
    return CognitoSRPIdentity(realm: poolName, name: userIDForSRP)
  }

  private static func check(userIDForSRP: String) throws(SRPError) {
    guard !userIDForSRP.isEmpty else { throw .empty(.identity) }
    try SRPLimits.check(userIDForSRP.utf8.count, .identity, SRPLimits.identity)
  }

  /// A remembered device.
  ///
  /// - Parameters:
  ///   - groupKey: the device's group key, from Cognito.
  ///   - deviceKey: the device's key, from Cognito.
  /// - Returns: the identity.
  /// - Throws: `deviceKeyMalformed`, `empty`, `tooLong`.
  public static func device(groupKey: String, deviceKey: String) throws(SRPError) -> CognitoSRPIdentity {
    guard !groupKey.isEmpty else { throw .empty(.identity) }
    try SRPLimits.check(groupKey.utf8.count, .identity, SRPLimits.identity)
    try check(deviceKey: deviceKey)
    return CognitoSRPIdentity(realm: groupKey, name: deviceKey)
  }

  /// The part of a user pool id after the underscore.
  static func poolName(_ id: String) throws(SRPError) -> String {
    do { return try UserPoolID(id).name } catch { throw .userPoolIDMalformed(id) }
  }

  /// `[\w-]+_[0-9a-f-]+`, at most 55 characters.
  static func check(deviceKey key: String) throws(SRPError) {
    guard key.utf8.count <= 55, let mark = key.utf8.lastIndex(of: UInt8(ascii: "_")) else {
      throw .deviceKeyMalformed(key)
    }
    let group = key.utf8[..<mark]
    let id = key.utf8[key.utf8.index(after: mark)...]
    guard !group.isEmpty, !id.isEmpty,
      group.allSatisfy({ $0.isLetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }),
      id.allSatisfy({
        (0x30...0x39).contains($0) || (0x61...0x66).contains($0) || $0 == UInt8(ascii: "-")
      })
    else { throw .deviceKeyMalformed(key) }
  }
}

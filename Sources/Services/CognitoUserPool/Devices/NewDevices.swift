internal import Records
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Rules of devices' rows.
package enum DeviceRules {
  /// How long a device that was given to a user can be confirmed: as long as the longest access token.
  static let confirmation = LifetimeRule.userPoolAccessToken.longest
  /// Maximum number of devices of a user, those that wait for their confirmation included. A further one replaces the
  /// one that was longest unused.
  static let limit = 100

  /// A device key: the region, an underscore and a random UUID.
  static func newKey(_ region: String) throws(UserPoolError) -> String {
    "\(region)_\(try UUIDText.new())"
  }

  /// A group key: a hyphen and eight characters.
  static func newGroupKey() throws(UserPoolError) -> String {
    let random = try UserPoolError.crypto { () throws(CryptoError) in try Random.publicBytes(count: 6) }
    return "-\(Base64URL.string(random))"
  }
}

extension WriteTransaction<UserPoolError> {
  /// Gives a user a new device, which the client can confirm (`NewDeviceMetadata`). Nothing is remembered before.
  ///
  /// - Parameters:
  ///   - user: the user.
  ///   - pool: the user's pool.
  ///   - address: the client's address, if it is known.
  /// - Returns: the device; nil where the pool does not track devices.
  /// - Throws: `storeFailed`, `cryptoFailed`.
  package func addDevice(
    for user: User, in pool: UserPool, address: String?
  ) throws(UserPoolError) -> UserDevice? {
    guard pool.devices != nil else { return nil }
    var device = UserDevice()
    device.poolID = pool.id
    device.sub = user.sub
    device.key = try DeviceRules.newKey(pool.region)
    device.groupKey = try DeviceRules.newGroupKey()
    device.lastAddress = address
    device.created = now.wholeSecond
    device.modified = device.created
    device.lastSignedIn = device.created
    device.end = device.created + DeviceRules.confirmation
    try makeRoom(for: user)
    try put(device, in: UserPoolTables.devices)
    return device
  }

  /// Removes the device that was longest unused where the user has as many as are allowed; first those that
  /// were never confirmed.
  private func makeRoom(for user: User) throws(UserPoolError) {
    let all = KeyRange.prefix(RecordKey(user.poolID, user.sub))
    guard try count(UserPoolTables.devices, all, limit: DeviceRules.limit) >= DeviceRules.limit else {
      return
    }
    let devices = try scan(UserPoolTables.devices, all, limit: DeviceRules.limit)
    let oldest = devices.min { left, right in
      (left.isConfirmed ? 1 : 0, left.lastSignedIn) < (right.isConfirmed ? 1 : 0, right.lastSignedIn)
    }
    if let oldest { try forget(oldest) }
  }

  /// Notes a sign-in with a device, as the device is stored now: it may have changed since the sign-in began.
  ///
  /// - Returns: the device; nil, and nothing is stored, where it was forgotten meanwhile.
  package func noteSignIn(
    withDevice key: String, of user: User, address: String?
  ) throws(UserPoolError) -> UserDevice? {
    guard var device = try confirmedDevice(key, of: user) else { return nil }
    device.lastSignedIn = now.wholeSecond
    device.lastAddress = address ?? device.lastAddress
    try put(device, in: UserPoolTables.devices)
    return device
  }

  /// Forgets a device. The refresh tokens of its sign-ins are refused from now on.
  func forget(_ device: UserDevice) throws(UserPoolError) {
    try delete(RecordKey(device.poolID, device.sub, device.key), from: UserPoolTables.devices)
  }
}

internal import ServiceOperations
internal import TokenSecurityBase

// Remembered devices are stored beside the sessions: each under its user's name, to which aliases lead.
extension UserPoolSessions: DeviceKeeping {
  /// The key of the device that the pool remembers for a user.
  ///
  /// - Parameter username: the user's name, or an alias that the user signed in with.
  /// - Returns: the key; nil for none.
  /// - Throws: `storeUnavailable`.
  public func deviceKey(of username: String) throws(UserPoolClientError) -> String? {
    records.flush()
    return try storedDevice(username)?.key
  }

  /// Deletes the stored device of a user. The pool forgets it by a call of its own.
  ///
  /// - Parameter username: the user's name, or an alias that the user signed in with.
  /// - Throws: `storeUnavailable`, which later calls try again.
  public func forgetDevice(of username: String) throws(UserPoolClientError) {
    records.flush()
    records.set(nil, for: .device(username: userName(of: username)))
    records.set(nil, for: .device(username: username))
    try records.report()
  }

  package func device(username: String) -> StoredDevice? { try? storedDevice(username) }

  package func keep(_ device: StoredDevice, username: String) {
    records.set(device.stored, for: .device(username: username))
  }

  /// Deletes the device that is stored under this very name. An alias can have become another user's, so that the
  /// device to which it leads stays.
  package func forget(username: String) { records.set(nil, for: .device(username: username)) }

  /// The name of an alias's user; the name itself if it is not a known alias.
  func userName(of alias: String) -> String {
    let stored = try? records.value(.device(username: alias))
    return stored.flatMap { DeviceAlias($0) }?.username ?? alias
  }

  /// Puts the device of a sign-in under the user's name, and lets the alias that was typed lead to it.
  ///
  /// - Parameters:
  ///   - key: the device that was part of the sign-in.
  ///   - alias: what was typed.
  ///   - username: the name in the tokens.
  func shareDevice(_ key: String?, from alias: String, with username: String) {
    guard alias != username, let key else { return }
    // Flows without a challenge do not give the name: such a device is kept under the alias at first.
    if let text = try? records.value(.device(username: alias)), let kept = StoredDevice(text) {
      guard kept.key == key else { return }
      records.set(text, for: .device(username: username))
    }
    guard (try? storedDevice(username))?.key == key, userName(of: alias) != username else { return }
    records.set(DeviceAlias(username: username).stored, for: .device(username: alias))
  }

  private func storedDevice(_ username: String) throws(UserPoolClientError) -> StoredDevice? {
    let name = userName(of: username)
    return try records.value(.device(username: name)).flatMap { StoredDevice($0) }
  }
}

internal import ServiceOperations
internal import TokenSecurityEncodings

// Remembered devices are stored beside the sessions.
extension UserPoolSessions: DeviceKeeping {
  /// The key of the device that the pool remembers for a user.
  ///
  /// - Parameter username: the user's name.
  /// - Returns: the key; nil for none.
  /// - Throws: `storeUnavailable`.
  public func deviceKey(of username: String) throws(UserPoolClientError) -> String? {
    records.flush()
    return try records.value(.device(username: username)).flatMap { StoredDevice($0)?.key }
  }

  /// Deletes the stored device of a user. The pool forgets it by a call of its own.
  ///
  /// - Parameter username: the user's name.
  /// - Throws: `storeUnavailable`, which later calls try again.
  public func forgetDevice(of username: String) throws(UserPoolClientError) {
    records.flush()
    records.set(nil, for: .device(username: username))
    try records.report()
  }

  package func device(username: String) -> StoredDevice? {
    (try? records.value(.device(username: username))).flatMap { $0 }.flatMap { StoredDevice($0) }
  }

  package func keep(_ device: StoredDevice, username: String) {
    records.set(device.stored, for: .device(username: username))
  }

  package func forget(username: String) { records.set(nil, for: .device(username: username)) }
}

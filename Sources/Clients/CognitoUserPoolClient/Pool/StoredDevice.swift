package import ServiceOperations

/// A device that a pool remembers, as it is stored.
package struct StoredDevice: Sendable {
  /// The device's group key.
  package let groupKey: String
  /// The device's key.
  package let key: String
  /// The password that was generated when the device was confirmed.
  package let password: SecretText

  package init(groupKey: String, key: String, password: SecretText) {
    self.groupKey = groupKey
    self.key = key
    self.password = password
  }
}

/// Keeps the remembered device of each user of one pool and client. A device that cannot be kept is an inconvenience:
/// the next sign-in asks for a second factor. So nothing is thrown; a keeper reports failures by its own means.
package protocol DeviceKeeping: Sendable {
  /// The device of a user.
  func device(username: String) async -> StoredDevice?
  /// Keeps a device instead of the user's earlier one.
  func keep(_ device: StoredDevice, username: String) async
  /// Deletes the device of a user.
  func forget(username: String) async
}

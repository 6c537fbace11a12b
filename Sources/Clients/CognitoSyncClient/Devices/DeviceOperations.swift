public import ServiceOperations
internal import TokenSecurityBase

// This device and its subscriptions.
extension SyncDatasets {
  /// Registers this device for push messages. A change of the identity, of the token or of the platform needs it
  /// again.
  ///
  /// - Parameters:
  ///   - platform: the service that delivers the messages.
  ///   - token: the device's token of that service. Apple's is in upper-case hexadecimal:
  ///     ``registerDevice(apnsToken:isSandbox:)`` writes it.
  /// - Returns: the device's id.
  /// - Throws: `refused`: `InvalidConfigurationException` where the pool has no application of the platform;
  ///   `identityFailed`, `responseMalformed`, `unreachable`, `storeUnavailable`, `cancelled`.
  @discardableResult
  public func registerDevice(
    _ platform: PushPlatform, token: String
  ) async throws(SyncClientError) -> String {
    let removals = context.removals
    let identityID = try await context.identityID()
    let id = try await context.calls.registerDevice(of: identityID, platform, token: token)
    let registration = DeviceRegistration(identityID: identityID, platform: platform, deviceID: id)
    try await context.write(since: removals) { rows throws(SyncClientError) in
      try rows.put(registration)
    }
    return id
  }

  /// Registers this device with a token of Apple's push notification service.
  ///
  /// - Parameters:
  ///   - apnsToken: the token as the system gave it.
  ///   - isSandbox: whether the build is one of development.
  /// - Returns: the device's id.
  /// - Throws: as ``registerDevice(_:token:)``.
  @discardableResult
  public func registerDevice(
    apnsToken: [UInt8], isSandbox: Bool
  ) async throws(SyncClientError) -> String {
    try await registerDevice(isSandbox ? .apnsSandbox : .apns, token: Hex.string(apnsToken).uppercasedASCII)
  }

  /// The registration of this device for the identity that is known. Makes no call.
  ///
  /// - Returns: the registration; nil if not found.
  /// - Throws: `storeUnavailable`.
  public func registration() async throws(SyncClientError) -> DeviceRegistration? {
    guard let identityID = await context.calls.identity.knownIdentityID() else { return nil }
    return try await context.store.read { rows throws(SyncClientError) in
      try rows.registration(of: identityID)
    }
  }

  /// Whether this device is registered for the identity that is known. Makes no call.
  ///
  /// - Returns: true if it is.
  /// - Throws: `storeUnavailable`.
  public func isDeviceRegistered() async throws(SyncClientError) -> Bool { try await registration() != nil }

  /// Forgets the registration for the identity that is known. The service has no call for it: unsubscribe before, or
  /// messages go on.
  ///
  /// - Throws: `storeUnavailable`.
  public func unregisterDevice() async throws(SyncClientError) {
    guard let identityID = await context.calls.identity.knownIdentityID() else { return }
    try await context.store.write { rows throws(SyncClientError) in
      try rows.deleteRegistration(of: identityID)
    }
  }
}

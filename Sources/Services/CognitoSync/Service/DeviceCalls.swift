internal import HTTPExchange
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityPlatform

// Calls on devices and their subscriptions.

extension SyncService {
  package nonisolated(nonsending) func registerDevice(
    _ input: RegisterDevice.Input, _ context: IdentityPoolOperations.Context
  ) async throws(SyncError) -> RegisterDevice.Output {
    let identity = IdentityKey(poolID: input.poolID, identityID: input.identityID)
    let found = try await store.read(at: context.time, .fresh) { rows throws(SyncError) in
      try rows.require(identity, context)
      return try rows.pushConfiguration(identity.poolID)
    }
    guard let found,
      let application = PushApplication.application(for: input.platform, in: found.applicationARNs)
    else {
      throw .pushNotConfigured(rule: "the pool has no application for \(input.platform.name)")
    }
    guard let sender else { throw .pushNotConfigured(rule: "the service has no sender") }
    let registration = PushRegistration(
      poolID: identity.poolID, identityID: identity.identityID, platform: input.platform, token: input.token,
      applicationARN: application, roleARN: found.roleARN)
    let start = clock()
    let id = try SyncError.crypto { () throws(CryptoError) in try UUIDText.random() }
    let slot = try takeSlot(ofPool: identity.poolID)
    defer { withExtendedLifetime(slot) {} }
    var leases: Int64 = 0
    for _ in 0..<Self.registrationTries {
      let device = SyncDevice(
        identity: identity, id: id, platform: input.platform, token: input.token,
        endpoint: try await endpoint(for: registration, sender), registered: context.time)
      // The sender can take long, and the leases of endpoints are compared with the time of now.
      let now = context.time + (clock() - start)
      switch try await add(device, leases: leases, context, at: now) {
      case .stored(let id): return RegisterDevice.Output { $0.deviceID = id }
      case .refused(let error): throw error
      case .removed(.wasRemoved(let count)): leases = count
      case .removed: try? await timers.sleep(for: .milliseconds(500))
      }
    }
    throw .deviceBusy
  }

  private func takeSlot(ofPool id: String) throws(SyncError) -> CountedSlots<ExactString>.Slot {
    let (slots, pool) = (registrations, ExactString(id))
    do throws(CountedSlots<ExactString>.Full) { return try slots.taken(for: pool) } catch {
      throw .registrationsFull(limit: error.limit)
    }
  }

  /// How often the sender is asked for an endpoint that is being removed.
  private static let registrationTries = 4

  private enum Registration: Sendable {
    case stored(id: String)
    /// The identity may have been removed since.
    case refused(SyncError)
    /// The endpoint was removed, or is being removed: the sender is to be asked again.
    case removed(EndpointState)
  }

  /// Asks the sender for the endpoint of a device.
  private nonisolated(nonsending) func endpoint(
    for device: PushRegistration, _ sender: any PushSender
  ) async throws(SyncError) -> String {
    do throws(PushError) {
      // The role's trust policy may have changed since the pool was set up.
      guard
        try await store.checkPublishing(device.roleARN, poolID: device.poolID, account: settings.account)
      else { throw .configurationRefused("the pool does not exist") }
      let limit = settings.registrationTimeout
      let late = Result<String, PushError>.failure(.unavailable("it took too long"))
      let endpoint = try await TimeLimit.run(within: limit, else: late, timers: timers) {
        do throws(PushError) { return .success(try await sender.register(device)) } catch {
          return .failure(error)
        }
      }.get()
      guard PushEndpoint.allows(endpoint) else {
        throw .unavailable("the endpoint does not have 1 to 2,048 visible ASCII characters")
      }
      return endpoint
    } catch {
      throw SyncError(error)
    }
  }

  /// Stores a device that the sender has registered.
  private nonisolated(nonsending) func add(
    _ device: SyncDevice, leases: Int64, _ context: IdentityPoolOperations.Context, at now: Timestamp
  ) async throws(SyncError) -> Registration {
    let limits = settings.limits
    return try await store.write(at: now) { rows throws(SyncError) in
      do throws(SyncError) { try rows.require(device.identity, context) } catch {
        switch error {
        case .storeFailed, .storeBusy, .outcomeUnknown: throw error
        default:
          try rows.removeEndpoints(of: [device])
          return .refused(error)
        }
      }
      let state = try rows.keepEndpoint(device.endpoint, leases: leases)
      guard state == .kept else { return .removed(state) }
      return .stored(id: try rows.add(device, limits: limits).id)
    }
  }

  package nonisolated(nonsending) func subscribe(
    _ input: DatasetSubscription, _ context: IdentityPoolOperations.Context
  ) async throws(SyncError) {
    let key = input.dataset.key
    try await store.write(at: context.time) { rows throws(SyncError) in
      try rows.require(key.identity, context)
      try rows.subscribe(input.deviceID, to: key)
    }
  }

  package nonisolated(nonsending) func unsubscribe(
    _ input: DatasetSubscription, _ context: IdentityPoolOperations.Context
  ) async throws(SyncError) {
    let key = input.dataset.key
    try await store.write(at: context.time) { rows throws(SyncError) in
      try rows.require(key.identity, context)
      try rows.unsubscribe(input.deviceID, from: key)
    }
  }
}

extension SyncError {
  /// The refusal of a registration. Reasons are of the sender, whose texts can have any length.
  fileprivate init(_ error: PushError) {
    self =
      switch error {
      case .tokenRefused(let reason): .tokenRefused(reason: reason.visible(upTo: 200))
      case .configurationRefused(let reason), .endpointRefused(let reason):
        .pushNotConfigured(
          rule: "the pool's application or role cannot be used", reason: reason.visible(upTo: 200))
      case .unavailable(let reason): .pushUnavailable(reason.visible(upTo: 200))
      }
  }
}

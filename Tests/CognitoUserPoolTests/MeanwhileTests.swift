internal import Records
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase

@testable internal import CognitoUserPool

/// Changes while a sign-in or a sign-up waits for a hook.
@Suite struct MeanwhileTests {
  /// A pool with devices, one of which is the user's, and a function of PostAuthentication.
  private static func bench(isRemembered: Bool) async throws -> (SignInBench, SignInDeviceTests.Device) {
    let bench = try await SignInDeviceTests.bench(pool: { $0.hooks = ["PostAuthentication": "arn:post"] })
    try await bench.change { $0.smsFactor = false }
    return (bench, try await SignInDeviceTests.Device(bench, isRemembered: isRemembered))
  }

  /// A sign-in with a device, proved if it is remembered.
  private static func signIn(
    _ bench: SignInBench, _ device: SignInDeviceTests.Device
  ) async throws -> SignInOutcome {
    let outcome = try await bench.signIn(device: device.key)
    guard case .challenge(let challenge) = outcome else { return outcome }
    return try await SignInDeviceTests.prove(device, bench, challenge)
  }

  private static func devices(_ bench: SignInBench) async throws -> [UserDevice] {
    try await bench.service.store.read(at: bench.now, .fresh) { rows throws(UserPoolError) in
      try rows.scan(UserPoolTables.devices, limit: 10)
    }
  }

  private static func changeDevice(
    _ bench: SignInBench, _ change: @escaping @Sendable (inout UserDevice) -> Void
  ) async throws {
    try await bench.service.store.write { rows throws(UserPoolError) in
      for var device in try rows.scan(UserPoolTables.devices, limit: 10) {
        change(&device)
        try rows.put(device, in: UserPoolTables.devices)
      }
    }
  }

  @Test(arguments: [true, false]) func aForgottenDevice(_ isRemembered: Bool) async throws {
    let (bench, device) = try await Self.bench(isRemembered: isRemembered)
    bench.hooks.meanwhile(.postAuthentication) {
      try? await bench.service.store.write { rows throws(UserPoolError) in
        for device in try rows.scan(UserPoolTables.devices, limit: 10) { try rows.forget(device) }
      }
    }
    if isRemembered {
      // Its proof is worth nothing any more.
      await #expect(throws: UserPoolError.deviceUnknown) { try await Self.signIn(bench, device) }
      #expect(try await Self.devices(bench).isEmpty)
    } else {
      let new = try #require(try await Self.signIn(bench, device).tokens.newDevice)
      #expect(new.key != device.key)
      #expect(try await Self.devices(bench).map(\.key) == [new.key])
    }
  }

  @Test func aDeviceThatIsNoLongerRemembered() async throws {
    let (bench, device) = try await Self.bench(isRemembered: true)
    bench.hooks.meanwhile(.postAuthentication) {
      try? await Self.changeDevice(bench) {
        $0.isRemembered = false
        $0.name = "lost"
      }
    }
    bench.advance(.seconds(100))
    #expect(try await Self.signIn(bench, device).tokens.newDevice == nil)
    let stored = try #require(try await Self.devices(bench).first)
    #expect(!stored.isRemembered && stored.name == "lost")
    #expect(stored.lastSignedIn == bench.now && stored.lastAddress == "192.0.2.7")
  }

  /// A deleted user gets neither tokens nor rows, with and without devices.
  @Test(arguments: [true, false], StoreKind.allCases)
  func aDeletedUser(_ hasDevices: Bool, _ kind: StoreKind) async throws {
    let bench = try await SignInBench(
      on: kind,
      pool: {
        $0.hooks = ["PostAuthentication": "arn:post"]
        if hasDevices { $0.devices = DeviceRule() }
      })
    let user = try await bench.addUser()
    bench.hooks.meanwhile(.postAuthentication) {
      try? await bench.service.store.write { rows throws(UserPoolError) in try rows.remove(user, limit: 100) }
    }
    await #expect(throws: UserPoolError.userUnknown) { try await bench.signIn() }
    let left = try await bench.service.store.read(at: bench.now, .fresh) { rows throws(UserPoolError) in
      try rows.count(UserPoolTables.devices, limit: 10) + rows.count(UserPoolTables.signIns, limit: 10)
    }
    #expect(left == 0)
  }

  /// A bench whose pool changes while a trigger's function runs.
  private static func changing(
    _ trigger: HookTrigger, _ change: @escaping @Sendable (inout UserPool) -> Void
  ) async throws -> SignInBench {
    let bench = try await SignInBench(pool: { $0.hooks = [trigger.rawValue: "arn:hook"] })
    bench.hooks.meanwhile(trigger) {
      var pool = bench.pool
      change(&pool)
      let changed = pool
      try? await bench.service.store.write { rows throws(UserPoolError) in
        try rows.put(changed, in: UserPoolTables.pools)
      }
    }
    return bench
  }

  private static func users(_ bench: SignInBench) async throws -> Int {
    try await bench.service.store.read(at: bench.now, .fresh) { rows throws(UserPoolError) in
      try rows.count(UserPoolTables.users, limit: 10)
    }
  }

  /// Pools that are deleted, or leave sign-ups to administrators, get no more users.
  @Test(arguments: [true, false]) func aSignUp(_ isRemoved: Bool) async throws {
    let bench = try await Self.changing(.preSignUp) {
      $0.isRemoved = isRemoved
      $0.isCreatedByAdministratorsOnly = !isRemoved
    }
    let refused = isRemoved ? UserPoolError.poolUnknown(bench.pool.id) : .signUpNotPermitted
    await #expect(throws: refused) {
      try await bench.service.signUps.signUp(
        NamedCall(clientID: bench.client.id, userName: "jane"),
        SignUpRequest(password: SecretText("Passw0rd!")), bench.context)
    }
    #expect(try await Self.users(bench) == 0)
  }

  @Test func aMigration() async throws {
    let bench = try await Self.changing(.userMigration) { $0.isRemoved = true }
    bench.hooks.on(.userMigration) { _ throws(HookError) in
      #"{"userAttributes":{"email":"old@example.com"},"finalUserStatus":"CONFIRMED","messageAction":"SUPPRESS"}"#
    }
    await #expect(throws: UserPoolError.poolUnknown(bench.pool.id)) { try await bench.signIn("olduser") }
    #expect(try await Self.users(bench) == 0)
  }

  @Test func tokens() async throws {
    let bench = try await Self.changing(.postAuthentication) { $0.isRemoved = true }
    try await bench.addUser()
    // Keys in memory do not keep a pool.
    _ = try await bench.service.published.keySet(ofPool: bench.pool.id)
    await #expect(throws: UserPoolError.poolUnknown(bench.pool.id)) { try await bench.signIn() }
  }
}

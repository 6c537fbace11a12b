internal import CognitoUserPool
internal import SecureRemotePassword
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The source of answers for users who do not exist.
@Suite struct SimulationTests {
  private struct Facts: Equatable {
    var salt: [UInt8]
    var sub: String
    var destination: String
    var random: [UInt8]

    init(_ secrets: UserPoolSecrets, _ pool: UserPool) throws {
      let record = try secrets.simulatedUsers(of: pool).record(pool: "AbCdEfGhI", username: "nobody")
      salt = record.verifier.salt
      sub = try secrets.simulatedUser(named: "nobody", in: pool).sub
      destination = try secrets.simulatedDestination(.email, named: "nobody", in: pool).address
      random = try secrets.simulated("name", "nobody", in: pool)
    }
  }

  private static func secrets(_ master: UInt8) throws -> UserPoolSecrets {
    try UserPoolSecrets(master: SecretBytes([UInt8](repeating: master, count: 32).span))
  }

  private static func pool(_ id: String, of place: TestPool) async throws -> UserPool {
    try await place.store.read { rows throws(UserPoolError) in try rows.existingPool(id) }
  }

  /// Salts that change with the master key would show which names no user has.
  @Test(arguments: StoreKind.allCases) func answersOutliveTheMasterKey(_ kind: StoreKind) async throws {
    let place = try await TestPool(on: kind)
    let (old, new) = (try Self.secrets(7), try Self.secrets(9))
    // As rows of pools are that have no secret of their own.
    let older = "us-east-1_Older0001"
    try await place.store.write { rows throws(UserPoolError) in
      var pool = UserPool()
      pool.id = older
      pool.name = "older"
      try rows.put(pool, in: UserPoolTables.pools)
    }
    let before = try [await Self.pool(place.id, of: place), await Self.pool(older, of: place)].map {
      try Facts(old, $0)
    }
    #expect(before[0] != before[1])
    try await place.store.write { rows throws(UserPoolError) in
      _ = try rows.resealUserPools(from: old, to: new)
    }
    let after = try [await Self.pool(place.id, of: place), await Self.pool(older, of: place)].map {
      try Facts(new, $0)
    }
    #expect(after == before)
    // They are sealed with the new key.
    let pool = try await Self.pool(place.id, of: place)
    #expect(throws: UserPoolError.self) { try Facts(old, pool) }
  }

  @Test func poolsHaveSecretsOfTheirOwn() throws {
    let secrets = try Self.secrets(7)
    var pool = UserPool()
    pool.id = "us-east-1_AbCdEfGhI"
    pool.sealedSimulation = try secrets.newSimulation(ofPool: pool.id)
    let first = try Facts(secrets, pool)
    #expect(try Facts(secrets, pool) == first)
    pool.sealedSimulation = try secrets.newSimulation(ofPool: pool.id)
    #expect(try Facts(secrets, pool) != first)
    pool.sealedSimulation = try secrets.newSimulation(ofPool: "us-east-1_Other0001")
    let moved = pool
    #expect(throws: UserPoolError.cryptoFailed("the pool's secret of simulated users cannot be opened")) {
      try Facts(secrets, moved)
    }
  }
}

internal import ArgumentParser
internal import CognitoIdentity
internal import CognitoUserPool
internal import TokenLifetime
internal import TokenSecurityBase

/// Manages the keys that sign tokens of user pools. A running service applies changes within seconds.
struct UserPoolKeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Manage the keys that sign a user pool's tokens.",
    subcommands: [List.self, Rotate.self, Revoke.self])

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List a pool's signing keys: those of ID tokens and of access tokens.")
    @OptionGroup var folder: DataOptions
    @OptionGroup var pool: UserPoolOption
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let pool = pool.pool
      let keys = try await folder.withServices { try await UserPoolKeys.stored(of: pool, in: $0.userPools) }
      guard !output.json else {
        return try StandardOutput.print([
          "signingKeys": .array(
            keys.map { key in
              .object([
                "id": .string(key.keyID), "use": .string(key.use),
                "signsFrom": .string("\(key.signsFrom)"),
              ])
            })
        ])
      }
      for key in keys {
        try StandardOutput.print("\(key.use.padded(to: 7)) \(key.keyID)  signs from \(key.signsFrom)\n")
      }
    }
  }

  struct Rotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract:
        "Publish new signing keys, and print their ids and when they sign. They sign after the notice.")
    @OptionGroup var folder: DataOptions
    @OptionGroup var pool: UserPoolOption
    @Option(
      help: ArgumentHelp(
        "The seconds until the keys sign. Verifiers must have fetched them by then.", valueName: "seconds"))
    var notice: Int64 = 3_600

    func run() async throws {
      guard notice >= 0 else { throw OperatingError("--notice \(notice): the notice must not be negative") }
      let (pool, notice) = (pool.pool, Duration.seconds(notice))
      let made = try await folder.withServices { services in
        let rings = try await services.userPools.keyRings.keys(of: pool)
        return [
          ("id", try await rings.id.rotate(notice: notice)),
          ("access", try await rings.access.rotate(notice: notice)),
        ]
      }
      for (use, key) in made {
        try StandardOutput.print("\(use.padded(to: 7)) \(key.keyID)  signs from \(key.signsFrom)\n")
      }
    }
  }

  struct Revoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Revoke a compromised signing key: its tokens are refused, and a new key signs at once.")
    @OptionGroup var folder: DataOptions
    @Argument(help: ArgumentHelp("The key's id (kid).", valueName: "kid")) var keyID: String
    @OptionGroup var pool: UserPoolOption

    func run() async throws {
      let (pool, keyID) = (pool.pool, keyID)
      try await folder.withServices { services in
        let known = try await UserPoolKeys.stored(of: pool, in: services.userPools)
        guard let key = known.first(where: { $0.keyID == keyID }) else {
          throw OperatingError("the pool has no signing key \(keyID.quoted)", code: .nameUnknown)
        }
        let rings = try await services.userPools.keyRings.keys(of: pool)
        try await (key.use == "id" ? rings.id : rings.access).revoke(keyID)
      }
    }
  }
}

/// The stored signing keys of user pools.
private enum UserPoolKeys {
  /// A pool's keys in signing order, those of ID tokens first.
  ///
  /// - Throws: `poolUnknown`.
  static func stored(
    of poolID: String, in service: UserPoolService
  ) async throws(UserPoolError) -> [(use: String, keyID: String, signsFrom: Timestamp)] {
    try await service.store.read(at: .now, .fresh) { rows throws(UserPoolError) in
      _ = try rows.existingPool(poolID)
      var keys: [(String, String, Timestamp)] = []
      for use in KeyUse.allCases {
        keys += try rows.signingKeys(of: poolID, for: use).map { (use.name, $0.keyID, $0.signsFrom) }
      }
      return keys
    }
  }
}

internal import ServiceOperations
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// App clients of pools.
package struct AppClients: Sendable {
  let store: any RecordStore
  let secrets: UserPoolSecrets
  /// Maximum number of clients of a pool.
  let limit: Int

  /// The characters of a secret that the service makes.
  private static var secretSize: Int { 52 }

  /// Makes a client (`CreateUserPoolClient`).
  ///
  /// - Throws: `poolUnknown`, `parameterRefused`, `limitReached`.
  package nonisolated(nonsending) func createClient(
    _ input: CreateUserPoolClient.Input, _ context: CallContext
  ) async throws(UserPoolError) -> UserPoolClient {
    let time = context.time
    var client = UserPoolClient()
    client.id = try RandomText.text(26, of: RandomText.lowercaseAndDigits)
    client.poolID = input.userPoolID
    client.name = input.clientName
    client.created = time.wholeSecond
    client.modified = client.created
    client.sealedSecret = try sealedSecret(input, of: client)
    let (new, limit) = (client, limit)
    return try await store.write(at: time) { rows throws(UserPoolError) in
      let pool = try rows.existingPool(input.userPoolID, naming: context.subject)
      var client = new
      try client.replace(by: input.settings, in: pool)
      guard
        try rows.count(
          UserPoolTables.clients, by: UserPoolTables.clientOfPool, .prefix(RecordKey(pool.id)), limit: limit)
          < limit
      else { throw .limitReached(of: "clients of a user pool", limit: limit) }
      guard try rows.insert(client, in: UserPoolTables.clients) else { throw .storeBusy }
      return client
    }
  }

  private func sealedSecret(
    _ input: CreateUserPoolClient.Input, of client: UserPoolClient
  ) throws(UserPoolError) -> [UInt8]? {
    let name = UserPoolClient.secretSealName(pool: client.poolID, id: client.id)
    if let given = input.clientSecret {
      guard input.generateSecret != true else {
        throw .parameterRefused("GenerateSecret", rule: "it must be false where ClientSecret is set")
      }
      return try secrets.seal(given.withBytes { SecretBytes($0) }, for: .clientSecret, name: name)
    }
    guard input.generateSecret == true else { return nil }
    let secret = try RandomText.make(Self.secretSize, of: RandomText.lowercaseAndDigits)
    return try secrets.seal(secret, for: .clientSecret, name: name)
  }

  /// Replaces the settings of a client (`UpdateUserPoolClient`). Its secret stays.
  ///
  /// - Parameters:
  ///   - input: the settings.
  ///   - old: the client that they were made of; nil for those of a caller.
  ///   - context: the call.
  /// - Returns: the client.
  /// - Throws: `poolUnknown`, `clientUnknown`, `parameterRefused`; `changedMeanwhile` if the client is another one than `old` by
  ///   now.
  package nonisolated(nonsending) func updateClient(
    _ input: UpdateUserPoolClient.Input, over old: UserPoolClient? = nil, _ context: CallContext
  ) async throws(UserPoolError) -> UserPoolClient {
    let time = context.time
    return try await store.write(at: time) { rows throws(UserPoolError) in
      let pool = try rows.existingPool(input.userPoolID, naming: context.subject)
      var client = try rows.existingClient(input.clientID, of: pool)
      guard old.map({ $0.json == client.json }) ?? true else { throw .changedMeanwhile }
      if let name = input.clientName { client.name = name }
      try client.replace(by: input.settings, in: pool)
      client.modified = time.wholeSecond
      try rows.put(client, in: UserPoolTables.clients)
      return client
    }
  }

  /// Returns a client (`DescribeUserPoolClient`).
  ///
  /// - Throws: `poolUnknown`, `clientUnknown`.
  package nonisolated(nonsending) func describeClient(
    _ name: UserPoolClientName, at time: Timestamp
  ) async throws(UserPoolError) -> UserPoolClient {
    try await store.read(at: time) { rows throws(UserPoolError) in
      try rows.existingClient(name.clientID, of: rows.existingPool(name.userPoolID))
    }
  }

  /// Removes a client (`DeleteUserPoolClient`). Its sign-ins end with it.
  ///
  /// - Throws: `poolUnknown`, `clientUnknown`.
  package nonisolated(nonsending) func deleteClient(
    _ name: UserPoolClientName, _ context: CallContext
  ) async throws(UserPoolError) {
    try await store.write(at: context.time) { rows throws(UserPoolError) in
      let pool = try rows.existingPool(name.userPoolID, naming: context.subject)
      let client = try rows.existingClient(name.clientID, of: pool)
      try rows.delete(RecordKey(client.id), from: UserPoolTables.clients)
    }
  }

  /// Lists the clients of a pool, ordered by their ids (`ListUserPoolClients`).
  ///
  /// - Throws: `poolUnknown`, `pageTokenInvalid`.
  package nonisolated(nonsending) func listClients(
    ofPool id: String, size: Int, token: String?, at time: Timestamp
  ) async throws(UserPoolError) -> Page<UserPoolClient> {
    let tokens = PageTokens("ListUserPoolClients", id, secrets: secrets)
    let after = try tokens.name(token)
    let found = try await store.read(at: time) { rows throws(UserPoolError) in
      let pool = try rows.existingPool(id)
      return try rows.scan(
        UserPoolTables.clients, by: UserPoolTables.clientOfPool,
        KeyRange.prefix(RecordKey(pool.id)).after(after.map { RecordKey(pool.id, $0) }), limit: size + 1)
    }
    return try tokens.page(found, size, \.id)
  }
}

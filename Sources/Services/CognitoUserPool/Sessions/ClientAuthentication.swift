internal import Records
internal import ServiceOperations
internal import TokenSecurityBase
internal import TokenSecurityCrypto

extension Sessions {
  /// Returns a client that proved its secret, and its pool.
  ///
  /// - Throws: `clientUnknown`, `clientSecretRefused`.
  nonisolated(nonsending) func client(
    _ id: String, secret given: SecretText?, _ context: CallContext
  ) async throws(UserPoolError) -> (client: UserPoolClient, pool: UserPool) {
    let found = try await store.read(at: context.time, .fresh) { rows throws(UserPoolError) in
      try rows.existingClient(id)
    }
    context.subject.isPool(found.pool.id)
    guard try found.client.isSecret(given, secrets) else { throw .clientSecretRefused }
    return found
  }
}

extension UserPoolClient {
  /// True for the client's secret, and for no secret of a public client.
  fileprivate func isSecret(
    _ given: SecretText?, _ secrets: UserPoolSecrets
  ) throws(UserPoolError) -> Bool {
    guard let secret = try secret(secrets) else { return given == nil }
    guard let given else { return false }
    return given.withBytes { given in secret.withBytes { ConstantTime.areEqual($0, given) } }
  }
}

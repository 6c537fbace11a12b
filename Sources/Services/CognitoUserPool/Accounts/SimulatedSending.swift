internal import Records

extension UserMessages {
  /// Does what is done for a user who gets a code, for one who does not exist.
  nonisolated(nonsending) func simulateCode(
    _ purpose: CodePurpose, _ kind: MessageKind, to destination: Destination,
    _ call: ClientCall, _ context: CallContext
  ) async throws(UserPoolError) {
    let (pool, secrets, user) = (call.pool, call.secrets, try call.simulatedUser())
    let text = try await text(
      kind, by: destination.medium, to: call.hookUser(user), lifetime: purpose.lifetime, isSimulated: true)
    try await store.write(at: context.time) { rows throws(UserPoolError) in
      _ = try rows.again(nil, named: call.canonicalName, in: pool)
      try rows.simulateMessage(purpose, for: user, text, to: destination.attribute, secrets: secrets)
    }
  }
}

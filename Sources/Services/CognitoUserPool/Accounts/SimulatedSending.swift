internal import Records

extension UserMessages {
  /// Does what is done for a user who gets a code, for one who does not exist.
  ///
  /// `isCurrent` is asked about the neighbour's row, as it is asked about a user's; its answer changes nothing.
  nonisolated(nonsending) func simulateCode(
    _ purpose: CodePurpose, _ kind: MessageKind, to destination: Destination,
    _ call: ClientCall, _ context: CallContext, isCurrent: @escaping @Sendable (User) -> Bool
  ) async throws(UserPoolError) {
    let (pool, secrets, user) = (call.pool, call.secrets, try call.simulatedUser())
    let text = try await text(
      kind, by: destination.medium, to: call.hookUser(user), lifetime: purpose.lifetime, isSimulated: true)
    try await store.write(at: context.time) { rows throws(UserPoolError) in
      _ = isCurrent(try rows.nearestFound(call.canonicalName, in: pool).row)
      try rows.simulateMessage(purpose, for: user, text, to: destination.attribute, secrets: secrets)
    }
  }
}
